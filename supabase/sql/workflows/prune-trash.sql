-- Deletes for good what the caller has left in the trash for 30 days, and gives how many there were.
create or replace function public.studio_prune_trash() returns integer
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  pruned integer;
begin
  delete from public.studio_workflows
  where owner = (select auth.uid()) and deleted_at < now() - interval '30 days';
  get diagnostics pruned = row_count;
  return pruned;
end;
$$;

select private.studio_grant_calls('public.studio_prune_trash()', 'authenticated', 'service_role');
