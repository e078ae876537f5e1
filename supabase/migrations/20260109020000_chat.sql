-- Chat pages of published workflows: visitors' sessions, their conversations, and what they thought of an answer. A visitor is a
-- subject within one publication. Everything that a visitor reads or changes is found by publication and subject together, both
-- taken from the session, so that no id of another's conversation or run opens anything.

create table public.studio_chat_threads (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null references auth.users (id) on delete cascade,
  workflow_id uuid not null,
  subject text not null check (char_length(subject) between 1 and 300),
  title text not null check (char_length(title) between 1 and 80),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, owner),
  foreign key (workflow_id, owner) references public.studio_publications (workflow_id, owner) on delete cascade
);
create index studio_chat_threads_of_owner on public.studio_chat_threads (owner);
create index studio_chat_threads_of_subject on public.studio_chat_threads (workflow_id, owner, subject, updated_at desc);

-- The runs that answer a conversation, and their ratings. Question and answer are those of the run.
create table public.studio_chat_turns (
  run_id uuid primary key,
  owner uuid not null references auth.users (id) on delete cascade,
  thread_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  rating text check (rating in ('up', 'down')),
  comment text not null default '' check (char_length(comment) <= 2000),
  rated_at timestamptz,
  foreign key (run_id) references public.studio_runs (id) on delete cascade,
  foreign key (thread_id, owner) references public.studio_chat_threads (id, owner) on delete cascade
);
create index studio_chat_turns_of_owner on public.studio_chat_turns (owner);
create index studio_chat_turns_of_thread on public.studio_chat_turns (thread_id, owner, at);

do $$
declare
  name text;
begin
  foreach name in array array['studio_chat_threads', 'studio_chat_turns'] loop
    execute format('alter table public.%I enable row level security', name);
    execute format('revoke all on table public.%I from public, anon, authenticated', name);
    execute format('grant select on table public.%I to authenticated', name);
    execute format('grant all on table public.%I to service_role', name);
    execute format(
      'create policy %I on public.%I for select to authenticated using (owner = (select auth.uid()))',
      name || '_select', name);
  end loop;
end;
$$;

select private.studio_count_table('public.studio_chat_threads', 'rows',
  'octet_length(item.subject) + octet_length(item.title)');
select private.studio_count_table('public.studio_chat_turns', 'rows', 'octet_length(item.comment)');

create table private.studio_chat_sessions (
  -- SHA-256 of the token, in hex. The token itself is with the visitor alone.
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  workflow_id uuid not null references public.studio_publications (workflow_id) on delete cascade,
  subject text not null check (char_length(subject) between 1 and 300),
  -- Of the access that it was opened under: another password or another kind of access ends it.
  access_hash text not null,
  -- SHA-256 of what the browser keeps for this page, in hex; null where it keeps nothing.
  browser_hash text check (browser_hash ~ '^[0-9a-f]{64}$'),
  expires_at timestamptz not null
);
create index studio_chat_sessions_of_browser on private.studio_chat_sessions (browser_hash);
create index studio_chat_sessions_of_workflow on private.studio_chat_sessions (workflow_id);
create index studio_chat_sessions_by_end on private.studio_chat_sessions (expires_at);

-- How many messages a publication has taken on a day, in UTC.
create table private.studio_chat_days (
  workflow_id uuid not null references public.studio_publications (workflow_id) on delete cascade,
  day date not null,
  messages integer not null,
  primary key (workflow_id, day)
);

alter table private.studio_chat_sessions enable row level security;
alter table private.studio_chat_days enable row level security;
revoke all on table private.studio_chat_sessions from public, anon, authenticated, service_role;
revoke all on table private.studio_chat_days from public, anon, authenticated, service_role;

create function public.studio_chat_open(
  p_workflow_id uuid, p_subject text, p_hash text, p_access_hash text, p_browser_hash text, p_seconds integer
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.studio_chat_sessions as old
  where old.hash in (
    select ended.hash from private.studio_chat_sessions as ended
    where ended.expires_at < now() order by ended.expires_at limit 20 for update skip locked
  );
  insert into private.studio_chat_sessions (hash, workflow_id, subject, access_hash, browser_hash, expires_at)
  values (p_hash, p_workflow_id, p_subject, p_access_hash, p_browser_hash, now() + make_interval(secs => p_seconds));
end;
$$;

-- Whose session it is; null where there is none that holds for this publication and its access.
create function public.studio_chat_subject(p_workflow_id uuid, p_hash text, p_access_hash text) returns text
language sql stable security definer set search_path = ''
as $$
  select sessions.subject from private.studio_chat_sessions as sessions
  where sessions.hash = p_hash and sessions.workflow_id = p_workflow_id and sessions.access_hash = p_access_hash
    and sessions.expires_at > now();
$$;

-- Opens another session of whom a browser's last one was, which ends with that one; false where there is none that holds.
create function public.studio_chat_resume(p_workflow_id uuid, p_browser_hash text, p_access_hash text, p_hash text)
returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.studio_chat_sessions (hash, workflow_id, subject, access_hash, browser_hash, expires_at)
  select p_hash, last.workflow_id, last.subject, last.access_hash, last.browser_hash, last.expires_at
  from private.studio_chat_sessions as last
  where last.browser_hash = p_browser_hash and last.workflow_id = p_workflow_id and last.access_hash = p_access_hash
    and last.expires_at > now()
  order by last.expires_at desc limit 1;
  return found;
end;
$$;

-- Ends a session, and with it those of the same browser.
create function public.studio_chat_leave(p_workflow_id uuid, p_hash text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.studio_chat_sessions as gone
  where gone.workflow_id = p_workflow_id and (
    gone.hash = p_hash
    or gone.browser_hash = (select own.browser_hash from private.studio_chat_sessions as own where own.hash = p_hash)
  );
end;
$$;

-- The subject's conversations, the latest first: [{ id, title, at }].
create function public.studio_chat_threads_of(p_workflow_id uuid, p_subject text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', latest.id, 'title', latest.title, 'at', round(extract(epoch from latest.updated_at) * 1000))
    order by latest.updated_at desc), '[]'::jsonb)
  from (
    select threads.id, threads.title, threads.updated_at from public.studio_chat_threads as threads
    where threads.workflow_id = p_workflow_id and threads.subject = p_subject
    order by threads.updated_at desc limit 100
  ) as latest;
$$;

-- The last turns of a conversation of the subject, the oldest first: [{ runId, input, output, status, hasEnding, rating, comment }];
-- null where it is not theirs. Large pictures are left out.
create function public.studio_chat_turns_of(p_workflow_id uuid, p_subject text, p_thread_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select (
    select coalesce(jsonb_agg(jsonb_build_object(
      'runId', latest.run_id, 'status', runs.status, 'output', runs.output -> 'value',
      'input', case when octet_length(runs.input::text) < 400000 then runs.input -> 'value'
        else (runs.input -> 'value') - 'images' end,
      'hasEnding', runs.ending is not null, 'rating', latest.rating, 'comment', latest.comment) order by latest.at), '[]'::jsonb)
    from (
      select turns.run_id, turns.at, turns.rating, turns.comment from public.studio_chat_turns as turns
      where turns.thread_id = threads.id order by turns.at desc limit 50
    ) as latest
    join public.studio_runs as runs on runs.id = latest.run_id
  )
  from public.studio_chat_threads as threads
  where threads.id = p_thread_id and threads.workflow_id = p_workflow_id and threads.subject = p_subject;
$$;

-- Forgets a conversation of the subject, and what agents remember of it. Its runs stay in their owner's history.
create function public.studio_chat_delete(p_workflow_id uuid, p_subject text, p_thread_id uuid, p_session_id text)
returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  gone public.studio_chat_threads%rowtype;
begin
  delete from public.studio_chat_threads as threads
  where threads.id = p_thread_id and threads.workflow_id = p_workflow_id and threads.subject = p_subject
  returning * into gone;
  if not found then
    return false;
  end if;
  delete from public.studio_agent_memory as memory
  where memory.owner = gone.owner and memory.session_id = p_session_id
    and (memory.workflow_id = gone.workflow_id or memory.workflow_id is null);
  return true;
end;
$$;

-- Whether a run answers the subject.
create function public.studio_chat_owns(p_workflow_id uuid, p_subject text, p_run_id uuid) returns uuid
language sql stable security definer set search_path = ''
as $$
  select turns.thread_id from public.studio_chat_turns as turns
  join public.studio_chat_threads as threads on threads.id = turns.thread_id
  where turns.run_id = p_run_id and threads.workflow_id = p_workflow_id and threads.subject = p_subject;
$$;

-- Keeps what the subject thinks of an answer; false where it is not theirs.
create function public.studio_chat_rate(
  p_workflow_id uuid, p_subject text, p_run_id uuid, p_rating text, p_comment text
) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  update public.studio_chat_turns as turns set rating = p_rating, comment = p_comment, rated_at = now()
  from public.studio_chat_threads as threads
  where turns.run_id = p_run_id and threads.id = turns.thread_id
    and threads.workflow_id = p_workflow_id and threads.subject = p_subject;
  return found;
end;
$$;

-- Takes a message: { runId, threadId, isNew }, or { problem, retryAfter? } with nothing started, counted or kept. Without a
-- conversation it begins one. p_session_prefix: what an agent remembers the conversation under, its id follows. Problems are those
-- of studio_door_start, and 'closed' (the day's messages are used up), 'no_thread' (the conversation is not the subject's) and
-- 'waiting' (answers to this subject are still on their way).
create function public.studio_chat_start(
  p_workflow_id uuid, p_subject text, p_thread_id uuid, p_key text, p_input jsonb, p_session_prefix text, p_per_day integer
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  tomorrow constant integer := ceil(extract(epoch from (today + 1)::timestamp at time zone 'utc' - now()));
  known record;
  publication public.studio_publications%rowtype;
  thread uuid;
  used integer;
  started jsonb;
  problem jsonb;
begin
  -- The same order as in studio_door_start, which takes it again.
  perform pg_advisory_xact_lock(hashtextextended('start ' || p_workflow_id::text, 0));
  select turns.run_id, turns.thread_id into known
  from public.studio_runs as runs
  join public.studio_chat_turns as turns on turns.run_id = runs.id
  join public.studio_chat_threads as threads on threads.id = turns.thread_id
  where runs.workflow_id = p_workflow_id and runs.idempotency_key = p_key and threads.subject = p_subject;
  if found then
    return jsonb_build_object('runId', known.run_id, 'threadId', known.thread_id, 'isNew', false);
  end if;
  select * into publication from public.studio_publications as found where found.workflow_id = p_workflow_id;
  if not found or publication.live is null then
    return jsonb_build_object('problem', 'not_published');
  end if;
  if (
    select count(*) from public.studio_runs as open
    where open.workflow_id = p_workflow_id and open.subject = p_subject and open.status in ('queued', 'running')
  ) >= 2 then
    return jsonb_build_object('problem', 'waiting', 'retryAfter', 3);
  end if;
  begin
    insert into private.studio_chat_days as days (workflow_id, day, messages) values (p_workflow_id, today, 1)
    on conflict (workflow_id, day) do update set messages = days.messages + 1
    returning days.messages into used;
    if used > p_per_day then
      problem := jsonb_build_object('problem', 'closed', 'retryAfter', tomorrow);
      raise exception 'refused' using errcode = 'P0001';
    end if;
    if p_thread_id is null then
      insert into public.studio_chat_threads (owner, workflow_id, subject, title)
      values (publication.owner, p_workflow_id, p_subject, left(p_input ->> 'message', 80))
      returning id into thread;
    else
      update public.studio_chat_threads as threads set updated_at = now()
      where threads.id = p_thread_id and threads.workflow_id = p_workflow_id and threads.subject = p_subject
      returning threads.id into thread;
    end if;
    if thread is null then
      problem := jsonb_build_object('problem', 'no_thread');
      raise exception 'refused' using errcode = 'P0001';
    end if;
    started := public.studio_door_start(
      p_workflow_id, 'live',
      jsonb_build_object('value', p_input || jsonb_build_object('sessionId', p_session_prefix || thread::text)),
      'chat', p_key, null, null, p_subject);
    if started ? 'problem' then
      problem := started;
      raise exception 'refused' using errcode = 'P0001';
    end if;
    insert into public.studio_chat_turns (run_id, owner, thread_id)
    values ((started ->> 'id')::uuid, publication.owner, thread);
    delete from private.studio_chat_days as days where days.workflow_id = p_workflow_id and days.day < today;
  exception when raise_exception then
    if problem is null then
      raise;
    end if;
    return problem;
  end;
  return jsonb_build_object('runId', started -> 'id', 'threadId', thread, 'isNew', true);
end;
$$;

do $$
declare
  signature text;
begin
  foreach signature in array array[
    'studio_chat_open(uuid, text, text, text, text, integer)',
    'studio_chat_resume(uuid, text, text, text)',
    'studio_chat_leave(uuid, text)',
    'studio_chat_subject(uuid, text, text)',
    'studio_chat_threads_of(uuid, text)',
    'studio_chat_turns_of(uuid, text, uuid)',
    'studio_chat_delete(uuid, text, uuid, text)',
    'studio_chat_owns(uuid, text, uuid)',
    'studio_chat_rate(uuid, text, uuid, text, text)',
    'studio_chat_start(uuid, text, uuid, text, jsonb, text, integer)'
  ] loop
    execute format('revoke all on function public.%s from public, anon, authenticated', signature);
    execute format('grant execute on function public.%s to service_role', signature);
  end loop;
end;
$$;
