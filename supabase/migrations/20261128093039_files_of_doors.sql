-- Subject: files
-- Which remembered message holds which file: what a conversation holds stays as long as the message.
create table private.studio_message_files (
  message_id bigint not null,
  file uuid not null,
  owner uuid not null references auth.users (id) on delete cascade,
  primary key (message_id, file),
  foreign key (message_id, owner) references public.studio_agent_memory (id, owner) on delete cascade,
  foreign key (file, owner) references public.studio_files (id, owner) on delete cascade
);

create index studio_message_files_of_owner on private.studio_message_files (owner);
create index studio_message_files_of_message on private.studio_message_files (message_id, owner);
create index studio_message_files_of_file on private.studio_message_files (file, owner);

select private.studio_grant_rows('private.studio_message_files');

-- Which visitor of which chat page sent which file.
create table private.studio_chat_uploads (
  file uuid primary key,
  owner uuid not null references auth.users (id) on delete cascade,
  workflow_id uuid not null references public.studio_publications (workflow_id) on delete cascade,
  subject text not null check (char_length(subject) <= 500),
  foreign key (file, owner) references public.studio_files (id, owner) on delete cascade
);

create index studio_chat_uploads_of_owner on private.studio_chat_uploads (owner);
create index studio_chat_uploads_of_file on private.studio_chat_uploads (file, owner);
create index studio_chat_uploads_of_workflow on private.studio_chat_uploads (workflow_id);

select private.studio_grant_rows('private.studio_chat_uploads');

drop function public.studio_chat_begin(uuid, text, uuid, text, jsonb, text, integer, jsonb, bigint);

drop function public.studio_door_begin(uuid, text, jsonb, text, text, uuid, uuid, text, jsonb, bigint);

drop function public.studio_hook_begin(uuid, jsonb, jsonb, jsonb, bigint);

drop function private.studio_take_shares(uuid, uuid, jsonb, bigint);

-- Takes a message as studio_chat_start does, within the shares of its senders: also { problem: 'share', … } as above. Tells the
-- owner when four fifths of the page's day are used.
-- p_files: what goes with it; { problem: 'no_file' } where the subject did not send one of them to this page.
create or replace function public.studio_chat_begin(
  p_workflow_id uuid, p_subject text, p_thread_id uuid, p_key text, p_input jsonb, p_session_prefix text, p_per_day integer,
  p_senders jsonb, p_bytes bigint, p_files uuid[] default '{}'
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
  if exists (
    select from unnest(p_files) as sent (file) where not exists (
      select from private.studio_chat_uploads as uploads
      where uploads.file = sent.file and uploads.workflow_id = p_workflow_id and uploads.subject = p_subject)
  ) then
    return jsonb_build_object('problem', 'no_file');
  end if;
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
  perform private.studio_give_files((started ->> 'runId')::uuid, of_owner, p_files);
  perform private.studio_tell_full(p_workflow_id, of_owner);
  return started;
end;
$$;

select private.studio_grant_calls('public.studio_chat_begin(uuid, text, uuid, text, jsonb, text, integer, jsonb, bigint, uuid[])', 'service_role');

-- Starts a run for a door as studio_door_start does, within the shares of its senders: also { problem: 'share', sender, unit,
-- retryAfter }. p_bytes: of the input. What comes again under a known key is not counted again.
-- p_files: of the owner; the run is given them.
create or replace function public.studio_door_begin(
  p_workflow_id uuid, p_target text, p_input jsonb, p_source text, p_key text, p_trigger_id uuid, p_api_key_id uuid,
  p_subject text, p_senders jsonb, p_bytes bigint, p_files uuid[] default '{}'
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
  perform private.studio_give_files((started ->> 'id')::uuid, of_owner, p_files);
  perform private.studio_tell_full(p_workflow_id, of_owner);
  return started;
end;
$$;

select private.studio_grant_calls('public.studio_door_begin(uuid, text, jsonb, text, text, uuid, uuid, text, jsonb, bigint, uuid[])', 'service_role');

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
  if (
    select count(*) from public.studio_runs as waiting
    where waiting.status = 'queued' and waiting.workflow_id = p_workflow_id and waiting.attempt = 0
  ) >= greatest(20, coalesce(ceil((publication.limits ->> 'concurrent')::numeric)::integer, 20) * 5) then
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

-- Starts a run for a delivery of a webhook as studio_door_begin does, unless the delivery is known: then { id, status, isNew: false,
-- isSame }, with status null where its run is gone. p_delivery: { key, body, lasts }. key: SHA-256, in hex, of what tells deliveries
-- apart. body: of what came with it, null where the key covers that; isSame says whether it came before. lasts: 'secret' for what is
-- known as long as a secret that its sender signed with, 'day' for what is known for 24 hours.
-- p_files: what came with it, which the run is given.
create or replace function public.studio_hook_begin(
  p_workflow_id uuid, p_delivery jsonb, p_input jsonb, p_senders jsonb, p_bytes bigint, p_files uuid[] default '{}'
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  yesterday constant timestamptz := now() - interval '24 hours';
  secrets_since timestamptz;
  known record;
  started jsonb;
begin
  -- The same order as in studio_door_start: what comes twice at one moment is known the second time.
  perform pg_advisory_xact_lock(hashtextextended('start ' || p_workflow_id::text, 0));
  select deliveries.run_id, deliveries.body, runs.status into known
  from private.studio_hook_deliveries as deliveries
  left join public.studio_runs as runs on runs.id = deliveries.run_id
  where deliveries.workflow_id = p_workflow_id and deliveries.key = p_delivery ->> 'key' and (
    deliveries.lasts = 'secret' or deliveries.came_at >= yesterday or runs.status in ('queued', 'running', 'waiting'));
  if found then
    return jsonb_build_object('id', known.run_id, 'status', known.status, 'isNew', false,
      'isSame', known.body is null or known.body is not distinct from p_delivery ->> 'body');
  end if;
  -- A key of a signature holds the secret, so that one of a secret that is gone matches nothing.
  select case when stored.secrets ? 'previous' then stored.previous_since else stored.current_since end into secrets_since
  from private.studio_door_secrets as stored where stored.workflow_id = p_workflow_id and stored.kind = 'hook';
  delete from private.studio_hook_deliveries as old
  where (old.workflow_id, old.key) in (
    select ended.workflow_id, ended.key from private.studio_hook_deliveries as ended
    where ended.workflow_id = p_workflow_id and (
      (ended.lasts = 'day' and ended.came_at < yesterday) or (ended.lasts = 'secret' and ended.came_at < secrets_since))
    limit 100
  );
  started := public.studio_door_begin(
    p_workflow_id, 'live', p_input, 'webhook', null, null, null, null, p_senders, p_bytes, p_files);
  if started ? 'id' then
    insert into private.studio_hook_deliveries as deliveries (workflow_id, key, body, lasts, run_id)
    values (p_workflow_id, p_delivery ->> 'key', p_delivery ->> 'body', p_delivery ->> 'lasts', (started ->> 'id')::uuid)
    on conflict (workflow_id, key) do update set
      body = excluded.body, lasts = excluded.lasts, run_id = excluded.run_id, came_at = now();
  end if;
  return started || '{"isSame": true}';
end;
$$;

select private.studio_grant_calls('public.studio_hook_begin(uuid, jsonb, jsonb, jsonb, bigint, uuid[])', 'service_role');

-- Whether two inputs say the same. A file that is sent twice is stored twice: its content, name and type count, not its id.
create or replace function private.studio_is_same_input(p_one jsonb, p_other jsonb) returns boolean
language sql immutable set search_path = ''
as $$
  select p_one is not distinct from p_other or
    regexp_replace(p_one::text, '"\$file": "[0-9a-f-]{36}"', '"$file": ""', 'g')
    = regexp_replace(p_other::text, '"\$file": "[0-9a-f-]{36}"', '"$file": ""', 'g');
$$;

select private.studio_grant_calls('private.studio_is_same_input(jsonb, jsonb)');

-- Notes which visitor of which chat page sent a file, so that it goes with that visitor's messages alone.
create or replace function public.studio_note_chat_upload(p_workflow_id uuid, p_subject text, p_file uuid) returns void
language sql security definer set search_path = ''
as $$
  insert into private.studio_chat_uploads (file, owner, workflow_id, subject)
  select files.id, files.owner, p_workflow_id, p_subject from public.studio_files as files
  join public.studio_publications as publications
    on publications.workflow_id = p_workflow_id and publications.owner = files.owner
  where files.id = p_file
  on conflict (file) do nothing;
$$;

select private.studio_grant_calls('public.studio_note_chat_upload(uuid, text, uuid)', 'service_role');

-- Counts p_messages, one or none, of p_bytes for each of their senders, or says why not and counts none: null, or { problem: 'share', sender,
-- unit, retryAfter }. p_senders: [{ kind, name, messages, bytes }] with what each may send in a day. The caller holds the lock of
-- the publication's starts.
create or replace function private.studio_take_shares(p_workflow_id uuid, p_owner uuid, p_senders jsonb, p_bytes bigint, p_messages integer default 1) returns jsonb
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
    if used.messages + p_messages > share.messages or used.bytes + p_bytes > share.bytes then
      return jsonb_build_object(
        'problem', 'share', 'sender', share.kind, 'retryAfter', tomorrow,
        'unit', case when used.messages + p_messages > share.messages then 'messages' else 'bytes' end);
    end if;
  end loop;
  for share in
    select given.kind, given.kind || ' ' || given.name as name, given.name as bare, given.messages, given.bytes
    from jsonb_to_recordset(p_senders) as given (kind text, name text, messages bigint, bytes bigint)
  loop
    insert into private.studio_sender_days as days (owner, sender, day, workflow_id, messages, bytes)
    values (p_owner, share.name, today, p_workflow_id, p_messages, p_bytes)
    on conflict (owner, sender, day, workflow_id) do update set
      messages = days.messages + excluded.messages, bytes = days.bytes + excluded.bytes;
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
    if used.messages >= 0.8 * share.messages and used.messages - p_messages < 0.8 * share.messages then
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

select private.studio_grant_calls('private.studio_take_shares(uuid, uuid, jsonb, bigint, integer)');

-- Counts bytes of files that are about to be stored for a publication among what their senders may send today, before they come:
-- null, or { problem: 'share', … } as studio_door_begin has it, or { problem: 'not_published' }. The message that they go with is
-- counted when it starts a run. With p_counts false they are counted there too, and here it is only said whether there is room; there
-- always is for what is known already by p_known, an idempotency key or the key of a delivery.
create or replace function public.studio_take_upload(
  p_workflow_id uuid, p_senders jsonb, p_bytes bigint, p_counts boolean default true, p_known text default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  of_owner uuid;
  problem jsonb;
begin
  perform pg_advisory_xact_lock(hashtextextended('start ' || p_workflow_id::text, 0));
  select publications.owner into of_owner from public.studio_publications as publications
  where publications.workflow_id = p_workflow_id and publications.live is not null;
  if of_owner is null then
    return jsonb_build_object('problem', 'not_published');
  end if;
  if not p_counts and p_known is not null and (
    exists (select from public.studio_runs as runs where runs.workflow_id = p_workflow_id and runs.idempotency_key = p_known)
    or exists (
      select from private.studio_hook_deliveries as deliveries
      where deliveries.workflow_id = p_workflow_id and deliveries.key = p_known)
  ) then
    return null;
  end if;
  begin
    problem := private.studio_take_shares(p_workflow_id, of_owner, p_senders, p_bytes, 0);
    if not p_counts then
      raise exception 'refused' using errcode = 'P0001';
    end if;
  exception when raise_exception then
    if p_counts then
      raise;
    end if;
  end;
  return problem;
end;
$$;

select private.studio_grant_calls('public.studio_take_upload(uuid, jsonb, bigint, boolean, text)', 'service_role');

-- Deletes files that were stored for a run which was then not started.
create or replace function public.studio_discard_files(p_owner uuid, p_files uuid[]) returns void
language sql security definer set search_path = ''
as $$
  delete from public.studio_files as files
  where files.owner = p_owner and files.id = any (p_files)
    and not exists (select from private.studio_file_uses as uses where uses.file = files.id and uses.owner = files.owner);
$$;

select private.studio_grant_calls('public.studio_discard_files(uuid, uuid[])', 'service_role');

-- Gives a run files of its owner, which stay as long as it does.
create or replace function private.studio_give_files(p_run_id uuid, p_owner uuid, p_files uuid[]) returns void
language sql security definer set search_path = ''
as $$
  insert into private.studio_file_uses (run_id, file, owner)
  select p_run_id, files.id, files.owner from public.studio_files as files
  where files.owner = p_owner and files.id = any (p_files)
  on conflict do nothing;
$$;

select private.studio_grant_calls('private.studio_give_files(uuid, uuid, uuid[])');

-- Which remembered message holds which file. Files of others are left out.
create or replace function private.studio_note_message_files() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (select from added where position('"$file"' in added.message::text) > 0) then
    return null;
  end if;
  insert into private.studio_message_files (message_id, file, owner)
  select distinct added.id, files.id, added.owner
  from added
  cross join lateral jsonb_path_query(added.message, '$.**."$file"') as named (id)
  join public.studio_files as files on files.owner = added.owner and files.id = case
    when named.id #>> '{}' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (named.id #>> '{}')::uuid end
  on conflict do nothing;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_note_message_files()');

-- Deletes the owner's files that no run and no remembered message holds, once a day has passed in which one could have begun with them.
create or replace function private.studio_prune_files(p_owner uuid) returns void
language sql security definer set search_path = ''
as $$
  delete from public.studio_files as files where files.id in (
    select old.id from public.studio_files as old
    where old.owner = p_owner and old.created_at < now() - interval '1 day'
      and not exists (select from private.studio_file_uses as uses where uses.file = old.id)
      and not exists (select from private.studio_message_files as kept where kept.file = old.id)
    limit 500);
$$;

select private.studio_grant_calls('private.studio_prune_files(uuid)');

-- The files that a run was given or has made, as its nodes know them: a list of { "$file", name, mediaType, size, sha256 }.
create or replace function private.studio_run_files(p_run_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('$file', files.id, 'name', files.name, 'mediaType', files.media_type,
    'size', files.size, 'sha256', files.sha256) order by files.created_at, files.id), '[]')
  from private.studio_file_uses as uses join public.studio_files as files on files.id = uses.file and files.owner = uses.owner
  where uses.run_id = p_run_id;
$$;

select private.studio_grant_calls('private.studio_run_files(uuid)', 'studio_worker');

create trigger studio_note_message_files after insert on public.studio_agent_memory
referencing new table as added for each statement execute function private.studio_note_message_files();

select private.studio_count_table('private.studio_message_files', 'none', '0'),
  private.studio_count_table('private.studio_chat_uploads', 'none', '0');
