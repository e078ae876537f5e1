-- From now on a version of the caller tells callers from its owner. Raises "version_not_found".
create or replace function public.studio_mark_callers(p_workflow_id uuid, p_version integer) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  update public.studio_published as own set marks_callers = true
  where own.workflow_id = p_workflow_id and own.version = p_version and own.owner = caller;
  if not found then
    raise exception 'version_not_found' using errcode = 'PT404';
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_mark_callers(uuid, integer)', 'authenticated', 'service_role');
