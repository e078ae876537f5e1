-- What one sender may use of a publication in a day: a visitor, a network, or an API key. So none of them uses up the messages of
-- a page's day or the storage of its owner.

-- By day (UTC). Messages count for the publication, bytes for all publications of the owner.
create table private.studio_sender_days (
  owner uuid not null references auth.users (id) on delete cascade,
  -- 'key <id>', 'visitor <hash>' or 'network <hash>'
  sender text not null check (char_length(sender) between 1 and 200),
  day date not null,
  workflow_id uuid not null references public.studio_publications (workflow_id) on delete cascade,
  messages integer not null default 0,
  -- Of inputs, as JSON.
  bytes bigint not null default 0,
  primary key (owner, sender, day, workflow_id)
);
create index studio_sender_days_of_workflow on private.studio_sender_days (workflow_id);
create index studio_sender_days_oldest on private.studio_sender_days (day);

-- Of what owners have been told that it is nearly used up; each once.
create table private.studio_near_told (
  workflow_id uuid not null references public.studio_publications (workflow_id) on delete cascade,
  key text not null check (char_length(key) <= 255),
  at timestamptz not null default now(),
  primary key (workflow_id, key)
);

do $$
declare
  name text;
begin
  foreach name in array array['studio_sender_days', 'studio_near_told'] loop
    execute format('alter table private.%I enable row level security', name);
    execute format('revoke all on table private.%I from public, anon, authenticated, service_role', name);
  end loop;
end;
$$;

alter table public.studio_publications
  -- What its owner was told last about a share or a limit that is nearly used up: { text, at }, `at` in milliseconds.
  add column share_notice jsonb check (jsonb_typeof(share_notice) = 'object' and octet_length(share_notice::text) <= 4096);

-- Tells the owner of a publication that four fifths of something are used up: by its notice and as failures are told. p_key says
-- of what, each of which is told once.
create function private.studio_tell_near(p_workflow_id uuid, p_key text, p_what jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.studio_near_told (workflow_id, key) values (p_workflow_id, p_key) on conflict do nothing;
  if not found then
    return;
  end if;
  delete from private.studio_near_told as old
  where old.workflow_id = p_workflow_id and old.at < now() - interval '40 days';
  update public.studio_publications as own set
    share_notice = jsonb_build_object(
      'text', p_what -> 'message', 'at', round(extract(epoch from clock_timestamp()) * 1000))
  where own.workflow_id = p_workflow_id;
  perform private.studio_tell_failure(p_workflow_id, p_key, p_what);
end;
$$;

-- Counts one message of p_bytes for each of its senders, or says why not and counts none: null, or { problem: 'share', sender,
-- unit, retryAfter }. p_senders: [{ kind, name, messages, bytes }] with what each may send in a day. The caller holds the lock of
-- the publication's starts.
create function private.studio_take_shares(p_workflow_id uuid, p_owner uuid, p_senders jsonb, p_bytes bigint) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  tomorrow constant integer := ceil(extract(epoch from (today + 1)::timestamp at time zone 'utc' - now()));
  share record;
  used record;
  who text;
begin
  for share in
    select given.kind, given.kind || ' ' || given.name as name, given.name as bare, given.messages, given.bytes
    from jsonb_to_recordset(p_senders) as given (kind text, name text, messages bigint, bytes bigint)
  loop
    select coalesce(sum(days.messages) filter (where days.workflow_id = p_workflow_id), 0) as messages,
      coalesce(sum(days.bytes), 0) as bytes
    into used
    from private.studio_sender_days as days
    where days.owner = p_owner and days.sender = share.name and days.day = today;
    if used.messages + 1 > share.messages or used.bytes + p_bytes > share.bytes then
      return jsonb_build_object(
        'problem', 'share', 'sender', share.kind, 'retryAfter', tomorrow,
        'unit', case when used.messages + 1 > share.messages then 'messages' else 'bytes' end);
    end if;
  end loop;
  for share in
    select given.kind, given.kind || ' ' || given.name as name, given.name as bare, given.messages, given.bytes
    from jsonb_to_recordset(p_senders) as given (kind text, name text, messages bigint, bytes bigint)
  loop
    insert into private.studio_sender_days as days (owner, sender, day, workflow_id, messages, bytes)
    values (p_owner, share.name, today, p_workflow_id, 1, p_bytes)
    on conflict (owner, sender, day, workflow_id) do update set
      messages = days.messages + 1, bytes = days.bytes + excluded.bytes;
    select coalesce(sum(days.messages) filter (where days.workflow_id = p_workflow_id), 0) as messages,
      coalesce(sum(days.bytes), 0) as bytes
    into used
    from private.studio_sender_days as days
    where days.owner = p_owner and days.sender = share.name and days.day = today;
    if used.messages < 0.8 * share.messages and used.bytes < 0.8 * share.bytes then
      continue;
    end if;
    who := case share.kind
      when 'key' then coalesce(
        (select format('The API key “%s”', keys.name) from public.studio_api_keys as keys where keys.id::text = share.bare),
        'An API key')
      when 'visitor' then 'One visitor'
      else 'One network' end;
    if used.messages >= 0.8 * share.messages and used.messages - 1 < 0.8 * share.messages then
      perform private.studio_tell_near(p_workflow_id, 'share ' || today || ' messages ' || md5(share.name), jsonb_build_object(
        'kind', 'share-near', 'message', who || ' has used four fifths of the messages that one sender may send today.',
        'sender', share.kind, 'messages', used.messages, 'of', share.messages));
    end if;
    if used.bytes >= 0.8 * share.bytes and used.bytes - p_bytes < 0.8 * share.bytes then
      perform private.studio_tell_near(p_workflow_id, 'share ' || today || ' bytes ' || md5(share.name), jsonb_build_object(
        'kind', 'share-near', 'message', who || ' has used four fifths of the data that one sender may send today.',
        'sender', share.kind, 'bytes', used.bytes, 'of', share.bytes));
    end if;
  end loop;
  delete from private.studio_sender_days as old
  where old.ctid in (
    select oldest.ctid from private.studio_sender_days as oldest
    where oldest.day < today order by oldest.day limit 20 for update skip locked
  );
  return null;
end;
$$;

-- Tells the owner of a publication once a month that four fifths of their storage are used.
create function private.studio_tell_full(p_workflow_id uuid, p_owner uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  used bigint;
  allowed bigint;
begin
  select usage.bytes, quotas.most into used, allowed
  from private.studio_usage as usage join private.studio_quotas as quotas on quotas.kind = 'bytes'
  where usage.owner = p_owner;
  if used >= 0.8 * allowed then
    perform private.studio_tell_near(
      p_workflow_id, 'storage ' || to_char(now() at time zone 'utc', 'YYYY-MM'), jsonb_build_object(
        'kind', 'storage-near', 'message', 'Four fifths of your account’s storage are used. When it is full, no more runs start.',
        'bytes', used, 'of', allowed));
  end if;
end;
$$;

-- Starts a run for a door as studio_door_start does, within the shares of its senders: also { problem: 'share', sender, unit,
-- retryAfter }. p_bytes: of the input. What comes again under a known key is not counted again.
create function public.studio_door_begin(
  p_workflow_id uuid, p_target text, p_input jsonb, p_source text, p_key text, p_trigger_id uuid, p_api_key_id uuid,
  p_subject text, p_senders jsonb, p_bytes bigint
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  of_owner uuid;
  problem jsonb;
  started jsonb;
begin
  -- The same order as in studio_door_start, which takes it again.
  perform pg_advisory_xact_lock(hashtextextended('start ' || p_workflow_id::text, 0));
  select publications.owner into of_owner from public.studio_publications as publications
  where publications.workflow_id = p_workflow_id;
  begin
    if of_owner is not null and not exists (
      select 1 from public.studio_runs as runs where runs.workflow_id = p_workflow_id and runs.idempotency_key = p_key
    ) then
      problem := private.studio_take_shares(p_workflow_id, of_owner, p_senders, p_bytes);
      if problem is not null then
        return problem;
      end if;
    end if;
    started := public.studio_door_start(
      p_workflow_id, p_target, p_input, p_source, p_key, p_trigger_id, p_api_key_id, p_subject);
    if started ? 'problem' then
      problem := started;
      raise exception 'refused' using errcode = 'P0001';
    end if;
  exception when raise_exception then
    if problem is null then
      raise;
    end if;
    return problem;
  end;
  perform private.studio_tell_full(p_workflow_id, of_owner);
  return started;
end;
$$;

-- Takes a message as studio_chat_start does, within the shares of its senders: also { problem: 'share', … } as above. Tells the
-- owner when four fifths of the page's day are used.
create function public.studio_chat_begin(
  p_workflow_id uuid, p_subject text, p_thread_id uuid, p_key text, p_input jsonb, p_session_prefix text, p_per_day integer,
  p_senders jsonb, p_bytes bigint
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  of_owner uuid;
  problem jsonb;
  started jsonb;
  taken integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('start ' || p_workflow_id::text, 0));
  select publications.owner into of_owner from public.studio_publications as publications
  where publications.workflow_id = p_workflow_id;
  begin
    if of_owner is not null and not exists (
      select 1 from public.studio_runs as runs where runs.workflow_id = p_workflow_id and runs.idempotency_key = p_key
    ) then
      problem := private.studio_take_shares(p_workflow_id, of_owner, p_senders, p_bytes);
      if problem is not null then
        return problem;
      end if;
    end if;
    started := public.studio_chat_start(
      p_workflow_id, p_subject, p_thread_id, p_key, p_input, p_session_prefix, p_per_day);
    if started ? 'problem' then
      problem := started;
      raise exception 'refused' using errcode = 'P0001';
    end if;
  exception when raise_exception then
    if problem is null then
      raise;
    end if;
    return problem;
  end;
  if (started ->> 'isNew')::boolean then
    select days.messages into taken from private.studio_chat_days as days
    where days.workflow_id = p_workflow_id and days.day = today;
    if taken >= 0.8 * p_per_day and taken - 1 < 0.8 * p_per_day then
      perform private.studio_tell_near(p_workflow_id, 'chat day ' || today, jsonb_build_object(
        'kind', 'share-near', 'message', 'Visitors have sent four fifths of the messages that the chat page takes in a day.',
        'sender', 'all', 'messages', taken, 'of', p_per_day));
    end if;
  end if;
  perform private.studio_tell_full(p_workflow_id, of_owner);
  return started;
end;
$$;

-- As before, and with the publication's limits.
create or replace function public.studio_read_door(p_publication text, p_kind text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'workflowId', publications.workflow_id, 'owner', publications.owner, 'slug', publications.slug,
    'name', workflows.name, 'live', publications.live, 'staging', publications.staging, 'limits', publications.limits,
    'enabled', doors.enabled, 'config', coalesce(doors.config, '{}'::jsonb),
    'secrets', coalesce(stored.secrets, '{}'::jsonb))
  from public.studio_publications as publications
  join public.studio_workflows as workflows on workflows.id = publications.workflow_id and workflows.deleted_at is null
  left join public.studio_doors as doors on doors.workflow_id = publications.workflow_id and doors.kind = p_kind
  left join private.studio_door_secrets as stored on stored.workflow_id = doors.workflow_id and stored.kind = doors.kind
  where publications.slug = p_publication or publications.workflow_id::text = p_publication;
$$;

do $$
declare
  signature text;
begin
  foreach signature in array array[
    'studio_tell_near(uuid, text, jsonb)', 'studio_take_shares(uuid, uuid, jsonb, bigint)', 'studio_tell_full(uuid, uuid)'
  ] loop
    execute format('revoke all on function private.%s from public, anon, authenticated, service_role', signature);
  end loop;
  foreach signature in array array[
    'studio_door_begin(uuid, text, jsonb, text, text, uuid, uuid, text, jsonb, bigint)',
    'studio_chat_begin(uuid, text, uuid, text, jsonb, text, integer, jsonb, bigint)'
  ] loop
    execute format('revoke all on function public.%s from public, anon, authenticated', signature);
    execute format('grant execute on function public.%s to service_role', signature);
  end loop;
end;
$$;
