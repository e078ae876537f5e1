-- Gives the caller's webhook a new secret. With p_keep_previous, what was signed with the old one is taken too, until the name
-- "previous" is deleted by studio_save_door. Raises "door_not_found".
create or replace function public.studio_renew_hook_secret(p_workflow_id uuid, p_secret text, p_keep_previous boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  kept jsonb;
begin
  if p_secret is null or char_length(p_secret) not between 8 and 4000 then
    raise exception 'bad_secret' using errcode = '22023';
  end if;
  perform 1 from public.studio_doors as own
  where own.workflow_id = p_workflow_id and own.kind = 'hook' and own.owner = caller for update;
  if not found then
    raise exception 'door_not_found' using errcode = 'PT404';
  end if;
  insert into private.studio_door_secrets as stored (workflow_id, kind, secrets, current_since)
  values (p_workflow_id, 'hook', jsonb_build_object('current', p_secret), now())
  on conflict (workflow_id, kind) do update set
    current_since = now(), previous_since = stored.current_since,
    secrets = (stored.secrets - 'previous')
      || case when p_keep_previous and stored.secrets ? 'current'
        then jsonb_build_object('previous', stored.secrets -> 'current') else '{}'::jsonb end
      || excluded.secrets
  returning stored.secrets into kept;
  update public.studio_doors as doors set
    secrets = (select coalesce(jsonb_agg(name order by name), '[]') from jsonb_object_keys(kept) as name),
    updated_at = now()
  where doors.workflow_id = p_workflow_id and doors.kind = 'hook' and doors.owner = caller;
end;
$$;

select private.studio_grant_calls('public.studio_renew_hook_secret(uuid, text, boolean)', 'authenticated', 'service_role');
