-- Lets `live` or `staging` point to a version that there is; null points nowhere. Raises "version_not_found".
create or replace function public.studio_point(p_workflow_id uuid, p_target text, p_version integer) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  if p_target not in ('live', 'staging') then
    raise exception 'unknown_target' using errcode = '22023';
  end if;
  if p_version is not null and not exists (
    select 1 from public.studio_published as version
    where version.workflow_id = p_workflow_id and version.version = p_version and version.owner = caller
  ) then
    raise exception 'version_not_found' using errcode = 'PT404';
  end if;
  update public.studio_publications as own set
    live = case when p_target = 'live' then p_version else own.live end,
    staging = case when p_target = 'staging' then p_version else own.staging end,
    updated_at = now()
  where own.workflow_id = p_workflow_id and own.owner = caller;
  if not found then
    raise exception 'version_not_found' using errcode = 'PT404';
  end if;
  if p_target = 'live' then
    perform private.studio_follow_live(p_workflow_id);
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_point(uuid, text, integer)', 'authenticated', 'service_role');
