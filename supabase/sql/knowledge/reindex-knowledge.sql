-- As studio_reindex_owner, for the caller's documents.
create or replace function public.studio_reindex_knowledge() returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  return caller is not null and private.studio_reindex_owner(caller);
end;
$$;

select private.studio_grant_calls('public.studio_reindex_knowledge()', 'authenticated', 'service_role');
