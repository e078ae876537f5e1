-- Keeps what an update overwrites, unless a version of the last ten minutes is there. Runs with the rights of whoever
-- updates, so that row level security holds here too.
create or replace function public.studio_keep_workflow_version() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  if exists (
    select 1 from public.studio_workflow_versions as version
    where version.workflow_id = old.id and version.created_at > now() - interval '10 minutes'
  ) then
    return null;
  end if;
  insert into public.studio_workflow_versions (owner, workflow_id, revision, document, saved_at)
  values (old.owner, old.id, old.revision, old.document, old.updated_at);
  return null;
end;
$$;

select private.studio_grant_calls('public.studio_keep_workflow_version()', 'service_role');
