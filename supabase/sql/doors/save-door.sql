-- Stores a door of the caller's publication. p_secrets: { name: value }, null for a value that is to be deleted; secrets that
-- are not named stay. Raises "not_published", and for settings of another form what they have to be.
create or replace function public.studio_save_door(
  p_workflow_id uuid, p_kind text, p_enabled boolean, p_config jsonb, p_secrets jsonb default null
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  kept jsonb;
begin
  if jsonb_typeof(coalesce(p_config, '{}'::jsonb)) <> 'object' then
    raise exception 'The settings have to be an object.' using errcode = '22023';
  end if;
  if jsonb_typeof(p_secrets) not in ('object', 'null')
    or exists (select from jsonb_each(case jsonb_typeof(p_secrets) when 'object' then p_secrets end) as each_one
      where jsonb_typeof(each_one.value) not in ('string', 'null')) then
    raise exception 'The secrets have to be an object of texts, or null for one that is to be deleted.' using errcode = '22023';
  end if;
  perform 1 from public.studio_publications as own
  where own.workflow_id = p_workflow_id and own.owner = caller for update;
  if not found then
    raise exception 'not_published' using errcode = 'PT404';
  end if;
  insert into public.studio_doors as doors (workflow_id, owner, kind, enabled, config)
  values (p_workflow_id, caller, p_kind, p_enabled, coalesce(p_config, '{}'::jsonb))
  on conflict (workflow_id, kind) do update set
    enabled = excluded.enabled, config = excluded.config, updated_at = now();
  if p_secrets is null or p_secrets = 'null'::jsonb then
    return;
  end if;
  insert into private.studio_door_secrets as stored (workflow_id, kind, secrets, current_since)
  values (p_workflow_id, p_kind, jsonb_strip_nulls(p_secrets), case when p_secrets ? 'current' then now() end)
  on conflict (workflow_id, kind) do update set
    secrets = jsonb_strip_nulls(stored.secrets || p_secrets),
    current_since = coalesce(excluded.current_since, stored.current_since)
  returning stored.secrets into kept;
  update public.studio_doors as doors set
    secrets = (select coalesce(jsonb_agg(name order by name), '[]') from jsonb_object_keys(kept) as name)
  where doors.workflow_id = p_workflow_id and doors.kind = p_kind and doors.owner = caller;
end;
$$;

select private.studio_grant_calls('public.studio_save_door(uuid, text, boolean, jsonb, jsonb)', 'authenticated', 'service_role');
