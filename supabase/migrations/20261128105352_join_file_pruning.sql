-- Starts a run for a door, within what the key may spend: { id, status, isNew }, or { problem, retryAfter? } with nothing
-- started. Problems: 'not_published', 'rate_limit' (starts of the publication in a minute), 'busy' (as many as may wait or run
-- do), 'spent' (the cap of a day or a month is reached), 'key_reused' (the idempotency key belongs to another input).
-- p_input: { value }.
create or replace function public.studio_door_start(
  p_workflow_id uuid, p_target text, p_input jsonb, p_source text, p_key text default null, p_trigger_id uuid default null,
  p_api_key_id uuid default null, p_subject text default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  tomorrow constant integer := ceil(extract(epoch from (today + 1)::timestamp at time zone 'utc' - now()));
  publication public.studio_publications%rowtype;
  key_limits jsonb;
  most integer;
  known record;
  taken jsonb;
  started jsonb;
  of_day numeric;
  of_month numeric;
begin
  -- Starts of one workflow come one after the other, so that no limit is passed by two at once.
  perform pg_advisory_xact_lock(hashtextextended('start ' || p_workflow_id::text, 0));
  select * into publication from public.studio_publications as found where found.workflow_id = p_workflow_id;
  if not found then
    return jsonb_build_object('problem', 'not_published');
  end if;
  if p_key is not null then
    select runs.id, runs.status, runs.input -> 'value' as input into known from public.studio_runs as runs
    where runs.workflow_id = p_workflow_id and runs.idempotency_key = p_key;
    if found and not private.studio_is_same_input(known.input, p_input -> 'value') then
      return jsonb_build_object('problem', 'key_reused');
    end if;
    if found then
      return jsonb_build_object('id', known.id, 'status', known.status, 'isNew', false);
    end if;
  end if;
  most := greatest(20, coalesce(least(ceil((publication.limits ->> 'concurrent')::numeric), 100000)::integer, 20) * 5);
  if (
    select count(*) from (
      select from public.studio_runs as waiting
      where waiting.owner = publication.owner and waiting.workflow_id = p_workflow_id and waiting.status = 'queued'
        and least(waiting.attempt, 1) = 0
      limit most
    ) as few
  ) >= most then
    return jsonb_build_object('problem', 'busy', 'retryAfter', 5);
  end if;
  select keys.limits into key_limits from public.studio_api_keys as keys where keys.id = p_api_key_id;
  if key_limits -> 'concurrent' is not null then
    perform pg_advisory_xact_lock(hashtextextended('start ' || p_api_key_id::text, 0));
    if (
      select count(*) from public.studio_runs as open
      where open.api_key_id = p_api_key_id and open.status in ('queued', 'running')
    ) >= (key_limits ->> 'concurrent')::numeric then
      return jsonb_build_object('problem', 'busy', 'retryAfter', 2);
    end if;
  end if;
  if publication.limits ?| array['dayUsd', 'monthUsd'] then
    select coalesce(sum(spending.usd) filter (where spending.day = today), 0), coalesce(sum(spending.usd), 0)
    into of_day, of_month
    from private.studio_spending as spending
    where spending.workflow_id = p_workflow_id and spending.day >= date_trunc('month', today)::date;
    if of_day >= (publication.limits ->> 'dayUsd')::numeric or of_month >= (publication.limits ->> 'monthUsd')::numeric then
      return jsonb_build_object('problem', 'spent', 'retryAfter', tomorrow);
    end if;
  end if;
  if private.studio_key_cap(p_api_key_id, 0) is not null then
    return jsonb_build_object('problem', 'spent', 'retryAfter', tomorrow);
  end if;
  if publication.limits -> 'perMinute' is not null then
    taken := public.studio_take_door_limit(
      'starts of ' || p_workflow_id, greatest(1, ceil((publication.limits ->> 'perMinute')::numeric)::integer));
    if (taken ->> 'wait')::integer > 0 then
      return jsonb_build_object('problem', 'rate_limit', 'retryAfter', taken -> 'wait');
    end if;
  end if;
  begin
    started := private.studio_queue_run(
      p_workflow_id, p_target, p_input -> 'value', p_source, p_key, p_trigger_id, null);
  exception when sqlstate 'PT404' then
    return jsonb_build_object('problem', 'not_published');
  end;
  update public.studio_runs as runs set api_key_id = p_api_key_id, subject = p_subject
  where runs.id = (started ->> 'id')::uuid and (started ->> 'created')::boolean;
  return jsonb_build_object('id', started -> 'id', 'status', started -> 'status', 'isNew', started -> 'created');
end;
$$;

select private.studio_grant_calls('public.studio_door_start(uuid, text, jsonb, text, text, uuid, uuid, text)', 'service_role');

-- Deletes the owner's files that no run and no remembered message holds and that are to become no document, once a day has passed in which one could have begun with them.
create or replace function private.studio_prune_files(p_owner uuid) returns void
language sql security definer set search_path = ''
as $$
  delete from public.studio_files as files where files.id in (
    select old.id from public.studio_files as old
    where old.owner = p_owner and old.created_at < now() - interval '1 day'
      and not exists (select from private.studio_file_uses as uses where uses.file = old.id)
      and not exists (select from private.studio_message_files as kept where kept.file = old.id)
      and not exists (select from public.studio_knowledge_documents as documents where documents.upload = old.id)
    limit 500);
$$;

select private.studio_grant_calls('private.studio_prune_files(uuid)');
