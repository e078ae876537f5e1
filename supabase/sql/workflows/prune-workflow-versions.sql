-- The hundred-and-first version without a name goes when a new one comes.
create or replace function public.studio_prune_workflow_versions() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  delete from public.studio_workflow_versions
  where workflow_id = new.workflow_id and name is null and seq <= (
    select version.seq from public.studio_workflow_versions as version
    where version.workflow_id = new.workflow_id and version.name is null
    order by version.seq desc
    offset 100 limit 1
  );
  return null;
end;
$$;

select private.studio_grant_calls('public.studio_prune_workflow_versions()', 'service_role');
