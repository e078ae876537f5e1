-- Deletes the caller's runs that fit p_filter and are not running; gives how many there were.
create or replace function public.studio_delete_runs(p_filter jsonb) returns integer
language plpgsql security invoker set search_path = ''
as $$
declare
  deleted integer;
begin
  delete from public.studio_runs as runs
  where runs.owner = (select auth.uid()) and runs.status <> 'running'
    and runs.id in (select found.id from public.studio_find_runs(p_filter, null, null) as found);
  get diagnostics deleted = row_count;
  return deleted;
end;
$$;

select private.studio_grant_calls('public.studio_delete_runs(jsonb)', 'authenticated', 'service_role');
