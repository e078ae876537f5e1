-- Takes a message: { runId, threadId, isNew }, or { problem, retryAfter? } with nothing started, counted or kept. Without a
-- conversation it begins one. p_session_prefix: what an agent remembers the conversation under, its id follows. Problems are those
-- of studio_door_start, and 'closed' (the day's messages are used up), 'no_thread' (the conversation is not the subject's) and
-- 'waiting' (answers to this subject are still on their way).
create or replace function public.studio_chat_start(
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
      values (publication.owner, p_workflow_id, p_subject, left(coalesce(
        nullif(p_input ->> 'message', ''), p_input -> 'files' -> 0 ->> 'name', 'Message'), 80))
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

select private.studio_grant_calls('public.studio_chat_start(uuid, text, uuid, text, jsonb, text, integer)', 'service_role');

-- Names one conversation by its first question, or by none. A question that is encrypted brings its encrypted beginning.
create or replace function private.studio_name_conversation(p_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  kept public.studio_memory_conversations;
  first_id bigint;
  first_title text;
  first_sealed jsonb;
begin
  select * into kept from public.studio_memory_conversations as conversation where conversation.id = p_id;
  if kept.workflow_id is null then
    select memory.id, private.studio_title_of_message(memory.content, memory.message), private.studio_sealed_title_of(memory.message)
    into first_id, first_title, first_sealed
    from public.studio_agent_memory as memory
    where memory.owner = kept.owner and memory.workflow_id is null and memory.session_id = kept.session_id
      and memory.role = 'user' and (private.studio_title_of_message(memory.content, memory.message) is not null
        or private.studio_sealed_title_of(memory.message) is not null)
    order by memory.id limit 1;
  else
    select memory.id, private.studio_title_of_message(memory.content, memory.message), private.studio_sealed_title_of(memory.message)
    into first_id, first_title, first_sealed
    from public.studio_agent_memory as memory
    where memory.owner = kept.owner and memory.workflow_id = kept.workflow_id and memory.session_id = kept.session_id
      and memory.role = 'user' and (private.studio_title_of_message(memory.content, memory.message) is not null
        or private.studio_sealed_title_of(memory.message) is not null)
    order by memory.id limit 1;
  end if;
  update public.studio_memory_conversations as conversation
  set title = first_title, sealed_title = first_sealed, title_message = first_id where conversation.id = p_id;
end;
$$;

select private.studio_grant_calls('private.studio_name_conversation(uuid)');

-- One line of a remembered message: its text, or else the name of its first file.
create or replace function private.studio_title_of_message(p_content text, p_message jsonb) returns text
language sql immutable set search_path = ''
as $$
  select coalesce(private.studio_title_of(p_content), private.studio_title_of(p_message -> 'files' -> 0 ->> 'name'));
$$;

select private.studio_grant_calls('private.studio_title_of_message(text, jsonb)');
