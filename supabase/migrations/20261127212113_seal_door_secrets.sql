-- Subject: credentials
set check_function_bodies = off;

-- A sealed secret is longer than its text.
alter table private.studio_failure_secrets drop constraint studio_failure_secrets_secret_check;
alter table private.studio_failure_secrets add constraint studio_failure_secrets_secret_check
  check (char_length(secret) between 8 and 4000);
alter table private.studio_collectors drop constraint studio_collectors_headers_check;
alter table private.studio_collectors add constraint studio_collectors_headers_check
  check (jsonb_typeof(headers) = 'object' and octet_length(headers::text) <= 49152);

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
    raise exception 'door_not_found' using errcode = 'P0002';
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

-- Puts a sealed secret in the place of the same one unsealed, if it is still there; see studio_unsealed_secrets.
create or replace function public.studio_seal_secret(
  p_store text, p_workflow_id uuid, p_kind text, p_name text, p_unsealed text, p_sealed text
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  case p_store
    when 'doors' then
      -- While one secret replaces another, this one may have become the previous one.
      update private.studio_door_secrets as stored set secrets = (
        select jsonb_object_agg(entries.key, case
          when entries.value = to_jsonb(p_unsealed) and (entries.key = p_name or (entries.key = 'previous' and p_name = 'current'))
          then to_jsonb(p_sealed) else entries.value end)
        from jsonb_each(stored.secrets) as entries)
      where stored.workflow_id = p_workflow_id and stored.kind = p_kind and stored.secrets <> '{}';
    when 'failures' then
      update private.studio_failure_secrets as stored set secret = p_sealed
      where stored.workflow_id = p_workflow_id and stored.secret = p_unsealed;
    when 'collectors' then
      update private.studio_collectors as stored set headers = jsonb_set(stored.headers, array[p_name], to_jsonb(p_sealed))
      where stored.workflow_id = p_workflow_id and stored.headers ->> p_name = p_unsealed;
  end case;
end;
$$;

select private.studio_grant_calls('public.studio_seal_secret(text, uuid, text, text, text, text)', 'service_role');

-- Secrets of publications that are stored unsealed, at most 100, of one store ('doors', 'failures', 'collectors'): [{ owner, workflowId, kind, url,
-- name, text }]. kind: of a door; url: of a collector; otherwise ''.
create or replace function public.studio_unsealed_secrets(p_store text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'owner', publications.owner, 'workflowId', found.workflow_id, 'kind', found.kind, 'url', found.url, 'name', found.name, 'text', found.text)), '[]')
  from (
    select stored.workflow_id, stored.kind, '' as url, entries.key as name, entries.value as text
    from private.studio_door_secrets as stored, jsonb_each_text(stored.secrets) as entries
    where p_store = 'doors' and entries.value !~ '^sealed\.'
    union all
    select stored.workflow_id, '', '', 'secret', stored.secret
    from private.studio_failure_secrets as stored where p_store = 'failures' and stored.secret !~ '^sealed\.'
    union all
    select stored.workflow_id, '', stored.url, entries.key, entries.value
    from private.studio_collectors as stored, jsonb_each_text(stored.headers) as entries
    where p_store = 'collectors' and entries.value !~ '^sealed\.'
    limit 100
  ) as found
  join public.studio_publications as publications on publications.workflow_id = found.workflow_id;
$$;

select private.studio_grant_calls('public.studio_unsealed_secrets(text)', 'service_role');

-- A notice of an account that has not been sent: { workflowId, url, body, secret }; null where there is none.
create or replace function public.studio_read_notice(p_id uuid, p_owner uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('workflowId', notices.workflow_id, 'url', notices.url, 'body', notices.body, 'secret', stored.secret)
  from private.studio_notices as notices
  left join private.studio_failure_secrets as stored on stored.workflow_id = notices.workflow_id
  where notices.id = p_id and notices.owner = p_owner and notices.next_at is not null;
$$;

select private.studio_grant_calls('public.studio_read_notice(uuid, uuid)', 'service_role');
