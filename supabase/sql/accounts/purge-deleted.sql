-- Deletes for good what the caller has deleted, which until then can be brought back and takes up room.
create or replace function public.studio_purge_deleted() returns integer
language plpgsql security invoker set search_path = ''
as $$
declare
  counted integer;
  purged integer := 0;
begin
  delete from public.studio_workflows where owner = (select auth.uid()) and deleted_at is not null;
  get diagnostics counted = row_count;
  purged := purged + counted;
  delete from public.studio_knowledge_documents where owner = (select auth.uid()) and deleted_at is not null;
  get diagnostics counted = row_count;
  purged := purged + counted;
  delete from public.studio_knowledge_collections where owner = (select auth.uid()) and deleted_at is not null;
  get diagnostics counted = row_count;
  return purged + counted;
end;
$$;

select private.studio_grant_calls('public.studio_purge_deleted()', 'authenticated', 'service_role');
