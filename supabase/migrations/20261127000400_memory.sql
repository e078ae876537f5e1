-- What agents remember: messages by conversation, their vectors, and what a list of conversations shows.
set check_function_bodies = off;

create table public.studio_agent_memory (
  -- The identity gives the order of a conversation; clocks of several tabs do not.
  id bigint generated always as identity primary key,
  owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
  -- Null: shared by all workflows of the owner.
  workflow_id uuid,
  session_id text not null check (char_length(session_id) between 1 and 500),
  role text not null check (role in ('system', 'user', 'assistant', 'tool')),
  content text not null default '',
  message jsonb not null check (jsonb_typeof(message) = 'object'),
  created_at timestamptz not null default now(),
  write_id text check (char_length(write_id) between 1 and 100),
  write_position integer check (write_position >= 0),
  foreign key (workflow_id, owner) references public.studio_workflows (id, owner) on delete cascade,
  constraint studio_agent_memory_id_owner unique (id, owner),
  constraint studio_agent_memory_write unique (owner, write_id, write_position),
  -- No text beside its ciphertext. Not checked on older rows, of which none is encrypted.
  constraint studio_agent_memory_sealed check (not (message ? 'sealed') or content = '')
);

create index studio_agent_memory_of_session
  on public.studio_agent_memory (owner, workflow_id, session_id, id);
create index studio_agent_memory_of_workflow on public.studio_agent_memory (workflow_id);
-- Shared conversations have no workflow; `is null` gives no order in the index of all.
create index studio_agent_memory_shared
  on public.studio_agent_memory (owner, session_id, id) where workflow_id is null;

select private.studio_grant_rows('public.studio_agent_memory', 'select, insert, delete', 'role, content, message');

create table public.studio_memory_vectors (
  message_id bigint primary key,
  owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
  -- Who made the vector; those of two models cannot be compared.
  model text not null check (char_length(model) between 1 and 300),
  embedding extensions.vector not null,
  foreign key (message_id, owner) references public.studio_agent_memory (id, owner) on delete cascade
);

create index studio_memory_vectors_of_owner_and_message on public.studio_memory_vectors (owner, message_id);

select private.studio_grant_rows('public.studio_memory_vectors', 'select, insert, delete');

-- One row for each conversation, kept by triggers, so that a list of them does not read their messages.
create table public.studio_memory_conversations (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null references auth.users (id) on delete cascade,
  workflow_id uuid,
  session_id text not null,
  messages bigint not null,
  -- Of the messages as JSON.
  bytes bigint not null,
  last_message bigint not null,
  last_used_at timestamptz not null,
  -- The beginning of its first question. It stays when a window lets that message go, and follows when a person edits it.
  title text check (char_length(title) <= 200),
  title_message bigint,
  -- By the server's clock, unlike `last_used_at`, which an import takes from its file.
  last_written_at timestamptz not null default now(),
  -- What a conversation is called whose first question is encrypted; `title` is null then.
  sealed_title jsonb,
  constraint studio_memory_conversations_one unique nulls not distinct (owner, workflow_id, session_id),
  foreign key (workflow_id, owner) references public.studio_workflows (id, owner) on delete cascade
);

create index studio_memory_conversations_title_message on public.studio_memory_conversations (title_message);
create index studio_memory_conversations_last_written on public.studio_memory_conversations (owner, last_written_at);

select private.studio_grant_rows('public.studio_memory_conversations', 'select');

-- An edited message means something else; it is found again once it is embedded again.
create or replace function public.studio_drop_stale_vector() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  delete from public.studio_memory_vectors where message_id = new.id;
  return new;
end;
$$;

select private.studio_grant_calls('public.studio_drop_stale_vector()', 'service_role');

-- The p_limit messages of one conversation, older than p_before (null: all), whose vectors are closest to p_embedding by
-- cosine distance.
create or replace function public.studio_search_memory(
  p_workflow_id uuid, p_session_id text, p_model text, p_embedding text, p_limit integer, p_before bigint
) returns table (id bigint, message jsonb, similarity double precision)
language plpgsql stable security invoker set search_path = ''
as $$
declare
  wanted constant extensions.vector := p_embedding::extensions.vector;
begin
  if p_workflow_id is null then
    return query
      select memory.id, memory.message, 1 - (vectors.embedding operator(extensions.<=>) wanted)
      from public.studio_agent_memory as memory
      join public.studio_memory_vectors as vectors on vectors.message_id = memory.id
      where memory.owner = (select auth.uid()) and memory.workflow_id is null and memory.session_id = p_session_id
        and (p_before is null or memory.id < p_before)
        and vectors.model = p_model and extensions.vector_dims(vectors.embedding) = extensions.vector_dims(wanted)
      order by vectors.embedding operator(extensions.<=>) wanted, memory.id desc
      limit p_limit;
  else
    return query
      select memory.id, memory.message, 1 - (vectors.embedding operator(extensions.<=>) wanted)
      from public.studio_agent_memory as memory
      join public.studio_memory_vectors as vectors on vectors.message_id = memory.id
      where memory.owner = (select auth.uid()) and memory.workflow_id = p_workflow_id
        and memory.session_id = p_session_id
        and (p_before is null or memory.id < p_before)
        and vectors.model = p_model and extensions.vector_dims(vectors.embedding) = extensions.vector_dims(wanted)
      order by vectors.embedding operator(extensions.<=>) wanted, memory.id desc
      limit p_limit;
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_search_memory(uuid, text, text, text, integer, bigint)', 'authenticated', 'service_role');

-- Deletes all but the last p_keep messages of a conversation and the rest of the turn that they begin in, so that no
-- turn is torn. 0 clears the conversation.
create or replace function public.studio_prune_memory(p_workflow_id uuid, p_session_id text, p_keep integer) returns void
language plpgsql security invoker set search_path = ''
as $$
declare
  first_kept bigint;
  question bigint;
begin
  if p_keep > 0 then
    if p_workflow_id is null then
      select memory.id into first_kept from public.studio_agent_memory as memory
      where memory.owner = (select auth.uid()) and memory.workflow_id is null and memory.session_id = p_session_id
      order by memory.id desc offset p_keep - 1 limit 1;
      select memory.id into question from public.studio_agent_memory as memory
      where memory.owner = (select auth.uid()) and memory.workflow_id is null and memory.session_id = p_session_id
        and memory.id <= first_kept and memory.role = 'user'
      order by memory.id desc limit 1;
    else
      select memory.id into first_kept from public.studio_agent_memory as memory
      where memory.owner = (select auth.uid()) and memory.workflow_id = p_workflow_id
        and memory.session_id = p_session_id
      order by memory.id desc offset p_keep - 1 limit 1;
      select memory.id into question from public.studio_agent_memory as memory
      where memory.owner = (select auth.uid()) and memory.workflow_id = p_workflow_id
        and memory.session_id = p_session_id and memory.id <= first_kept and memory.role = 'user'
      order by memory.id desc limit 1;
    end if;
    if first_kept is null then
      return;
    end if;
    first_kept := coalesce(question, first_kept);
  end if;
  if p_workflow_id is null then
    delete from public.studio_agent_memory as memory
    where memory.owner = (select auth.uid()) and memory.workflow_id is null and memory.session_id = p_session_id
      and (first_kept is null or memory.id < first_kept);
  else
    delete from public.studio_agent_memory as memory
    where memory.owner = (select auth.uid()) and memory.workflow_id = p_workflow_id
      and memory.session_id = p_session_id and (first_kept is null or memory.id < first_kept);
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_prune_memory(uuid, text, integer)', 'authenticated', 'service_role');

-- The conversations of one workflow and the shared ones, the latest used first. `bytes` counts the messages as JSON.
create or replace function public.studio_memory_sessions(p_workflow_id uuid)
returns table (workflow_id uuid, session_id text, messages bigint, bytes bigint, last_used_at timestamptz)
language sql stable security invoker set search_path = ''
as $$
  select kept.workflow_id, kept.session_id, kept.messages, kept.bytes, kept.last_used_at
  from public.studio_memory_conversations as kept
  where kept.owner = (select auth.uid()) and (kept.workflow_id = p_workflow_id or kept.workflow_id is null)
  order by kept.last_message desc;
$$;

select private.studio_grant_calls('public.studio_memory_sessions(uuid)', 'authenticated', 'service_role');

create or replace function private.studio_add_to_conversations() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.studio_memory_conversations as kept
    (owner, workflow_id, session_id, messages, bytes, last_message, last_used_at)
  select added.owner, added.workflow_id, added.session_id, count(*), sum(octet_length(added.message::text)),
    max(added.id), max(added.created_at)
  from added group by added.owner, added.workflow_id, added.session_id
  on conflict on constraint studio_memory_conversations_one do update set
    messages = kept.messages + excluded.messages,
    bytes = kept.bytes + excluded.bytes,
    last_message = greatest(kept.last_message, excluded.last_message),
    last_used_at = greatest(kept.last_used_at, excluded.last_used_at);
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_add_to_conversations()');

-- An edit changes the size alone: neither whose message it is nor its conversation can be changed.
create or replace function private.studio_edit_in_conversations() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.studio_memory_conversations as kept set bytes = kept.bytes + edited.bytes
  from (
    select after.owner, after.workflow_id, after.session_id,
      sum(octet_length(after.message::text) - octet_length(before.message::text)) as bytes
    from changed as after join replaced as before on before.id = after.id
    group by after.owner, after.workflow_id, after.session_id
  ) as edited
  where kept.owner = edited.owner and kept.workflow_id is not distinct from edited.workflow_id
    and kept.session_id = edited.session_id and edited.bytes <> 0;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_edit_in_conversations()');

create or replace function private.studio_take_from_conversations() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  gone record;
begin
  for gone in
    select removed.owner, removed.workflow_id, removed.session_id, count(*) as messages,
      sum(octet_length(removed.message::text)) as bytes, max(removed.id) as last_message
    from removed group by removed.owner, removed.workflow_id, removed.session_id
  loop
    -- Two branches, since `is not distinct from` is found by no index.
    if gone.workflow_id is null then
      update public.studio_memory_conversations as kept
      set messages = kept.messages - gone.messages, bytes = kept.bytes - gone.bytes
      where kept.owner = gone.owner and kept.workflow_id is null and kept.session_id = gone.session_id;
      delete from public.studio_memory_conversations as kept
      where kept.owner = gone.owner and kept.workflow_id is null and kept.session_id = gone.session_id
        and kept.messages <= 0;
      update public.studio_memory_conversations as kept
      set last_message = last.id, last_used_at = last.created_at
      from (
        select memory.id, memory.created_at from public.studio_agent_memory as memory
        where memory.owner = gone.owner and memory.workflow_id is null and memory.session_id = gone.session_id
        order by memory.id desc limit 1
      ) as last
      where kept.owner = gone.owner and kept.workflow_id is null and kept.session_id = gone.session_id
        and kept.last_message <= gone.last_message;
    else
      update public.studio_memory_conversations as kept
      set messages = kept.messages - gone.messages, bytes = kept.bytes - gone.bytes
      where kept.owner = gone.owner and kept.workflow_id = gone.workflow_id and kept.session_id = gone.session_id;
      delete from public.studio_memory_conversations as kept
      where kept.owner = gone.owner and kept.workflow_id = gone.workflow_id and kept.session_id = gone.session_id
        and kept.messages <= 0;
      update public.studio_memory_conversations as kept
      set last_message = last.id, last_used_at = last.created_at
      from (
        select memory.id, memory.created_at from public.studio_agent_memory as memory
        where memory.owner = gone.owner and memory.workflow_id = gone.workflow_id
          and memory.session_id = gone.session_id
        order by memory.id desc limit 1
      ) as last
      where kept.owner = gone.owner and kept.workflow_id = gone.workflow_id and kept.session_id = gone.session_id
        and kept.last_message <= gone.last_message;
    end if;
  end loop;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_take_from_conversations()');

-- Conversations of one workflow and, where p_shared, those of all workflows; the latest used first. A search looks into their
-- names too. What is stored beside a conversation (its scratchpad, its summary) is counted into it. `bytes` counts
-- everything as JSON.
create or replace function public.studio_list_conversations(
  p_workflow_id uuid, p_shared boolean, p_search text, p_after jsonb, p_limit integer
) returns table (
  workflow_id uuid, session_id text, messages bigint, bytes bigint, last_used_at timestamptz, notes boolean,
  summarised boolean, total bigint, place jsonb
)
language sql stable security invoker set search_path = ''
as $$
  with sided as (
    select kept.*, substring(kept.session_id from '^.+:(scratchpad|summary)$') as side
    from public.studio_memory_conversations as kept
    where kept.owner = (select auth.uid())
      and (kept.workflow_id = p_workflow_id or (p_shared and kept.workflow_id is null))
  ), fitting as materialized (
    select sided.workflow_id, named.session_id,
      coalesce(sum(sided.messages) filter (where sided.side is null), 0)::bigint as messages,
      sum(sided.bytes)::bigint as bytes,
      max(sided.last_message) as last_message,
      max(sided.last_used_at) as last_used_at,
      coalesce(bool_or(sided.side = 'scratchpad'), false) as notes,
      coalesce(bool_or(sided.side = 'summary'), false) as summarised
    from sided
    cross join lateral (
      select coalesce(left(sided.session_id, -length(sided.side) - 1), sided.session_id) as session_id
    ) as named
    group by sided.workflow_id, named.session_id
    having public.studio_fold(concat_ws(E'\n', named.session_id, max(sided.title) filter (where sided.side is null)))
      like all ((select public.studio_search_patterns(p_search))::text[])
  )
  select fitting.workflow_id, fitting.session_id, fitting.messages, fitting.bytes, fitting.last_used_at, fitting.notes,
    fitting.summarised, (select count(*) from fitting), jsonb_build_object('lastMessage', fitting.last_message)
  from fitting
  where p_after is null or fitting.last_message < (p_after ->> 'lastMessage')::bigint
  order by fitting.last_message desc
  limit p_limit;
$$;

select private.studio_grant_calls('public.studio_list_conversations(uuid, boolean, text, jsonb, integer)', 'authenticated', 'service_role');

-- Appends the messages of one turn with their vectors; what a write of this name has brought already is left as it is.
-- p_entries: [{ role, content, message, embedding }], where embedding is text such as "[0.1,0.2]", or null. p_write_id
-- null: a write without a name.
create or replace function public.studio_append_memory(
  p_workflow_id uuid, p_session_id text, p_model text, p_entries jsonb, p_write_id text default null
) returns void
language plpgsql security invoker set search_path = ''
as $$
declare
  entry record;
  added bigint;
begin
  -- One statement a row, so that ids follow the order of the turn.
  for entry in select value, ordinality from jsonb_array_elements(p_entries) with ordinality order by ordinality loop
    insert into public.studio_agent_memory
      (workflow_id, session_id, role, content, message, write_id, write_position)
    values (
      p_workflow_id, p_session_id, entry.value ->> 'role', coalesce(entry.value ->> 'content', ''),
      entry.value -> 'message', p_write_id, case when p_write_id is not null then entry.ordinality - 1 end
    )
    on conflict on constraint studio_agent_memory_write do nothing
    returning id into added;
    if found and entry.value ->> 'embedding' is not null then
      insert into public.studio_memory_vectors (message_id, model, embedding)
      values (added, p_model, (entry.value ->> 'embedding')::extensions.vector);
    end if;
  end loop;
end;
$$;

select private.studio_grant_calls('public.studio_append_memory(uuid, text, text, jsonb, text)', 'authenticated', 'service_role');

-- One line of a message's text.
create or replace function private.studio_title_of(p_content text) returns text
language sql immutable set search_path = ''
as $$
  select nullif(left(btrim(regexp_replace(left(p_content, 1000), '\s+', ' ', 'g')), 200), '');
$$;

select private.studio_grant_calls('private.studio_title_of(text)');

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
    select memory.id, private.studio_title_of(memory.content), private.studio_sealed_title_of(memory.message)
    into first_id, first_title, first_sealed
    from public.studio_agent_memory as memory
    where memory.owner = kept.owner and memory.workflow_id is null and memory.session_id = kept.session_id
      and memory.role = 'user' and (private.studio_title_of(memory.content) is not null
        or private.studio_sealed_title_of(memory.message) is not null)
    order by memory.id limit 1;
  else
    select memory.id, private.studio_title_of(memory.content), private.studio_sealed_title_of(memory.message)
    into first_id, first_title, first_sealed
    from public.studio_agent_memory as memory
    where memory.owner = kept.owner and memory.workflow_id = kept.workflow_id and memory.session_id = kept.session_id
      and memory.role = 'user' and (private.studio_title_of(memory.content) is not null
        or private.studio_sealed_title_of(memory.message) is not null)
    order by memory.id limit 1;
  end if;
  update public.studio_memory_conversations as conversation
  set title = first_title, sealed_title = first_sealed, title_message = first_id where conversation.id = p_id;
end;
$$;

select private.studio_grant_calls('private.studio_name_conversation(uuid)');

create or replace function private.studio_name_added() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  place record;
  conversation record;
begin
  for place in select distinct added.owner, added.workflow_id, added.session_id from added loop
    -- Two branches, since `is not distinct from` is found by no index.
    if place.workflow_id is null then
      update public.studio_memory_conversations as kept set last_written_at = now()
      where kept.owner = place.owner and kept.workflow_id is null and kept.session_id = place.session_id
      returning kept.id, kept.title, kept.sealed_title into conversation;
    else
      update public.studio_memory_conversations as kept set last_written_at = now()
      where kept.owner = place.owner and kept.workflow_id = place.workflow_id and kept.session_id = place.session_id
      returning kept.id, kept.title, kept.sealed_title into conversation;
    end if;
    if conversation.title is null and conversation.sealed_title is null then
      perform private.studio_name_conversation(conversation.id);
    end if;
  end loop;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_name_added()');

create or replace function private.studio_name_edited() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_name_conversation(kept.id)
  from changed join public.studio_memory_conversations as kept
    on kept.owner = changed.owner and kept.session_id = changed.session_id and kept.title_message = changed.id;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_name_edited()');

-- Pruning takes whole turns and leaves the name; a message that a person deletes goes alone, and out of the name as well.
create or replace function private.studio_name_removed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (select count(*) from removed) = 1 then
    perform private.studio_name_conversation(kept.id)
    from removed join public.studio_memory_conversations as kept
      on kept.owner = removed.owner and kept.session_id = removed.session_id and kept.title_message = removed.id;
  end if;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_name_removed()');

-- Deletes the caller's conversations that nobody has written to for as many days as the setting "conversation-retention"
-- says, none where nothing was chosen, and gives how many there were: at most 200, the oldest, since a run that starts waits
-- for it. A scratchpad or a summary goes with its conversation and not before it.
create or replace function public.studio_prune_conversations() returns integer
language plpgsql security invoker set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  keep_days integer;
  oldest timestamptz;
  old record;
  pruned integer := 0;
begin
  select (settings.value ->> 'keepDays')::integer into keep_days from public.studio_settings as settings
  where settings.owner = caller and settings.name = 'conversation-retention';
  if keep_days is null then
    return 0;
  end if;
  oldest := now() - make_interval(days => keep_days);
  if not exists (
    select 1 from public.studio_memory_conversations as kept
    where kept.owner = caller and kept.last_written_at < oldest
  ) then
    return 0;
  end if;
  for old in
    select together.workflow_id, together.session_id
    from (
      select kept.workflow_id, kept.session_id, max(kept.last_written_at) over (
        partition by kept.workflow_id, regexp_replace(kept.session_id, '(.):(scratchpad|summary)$', '\1')
      ) as latest
      from public.studio_memory_conversations as kept
      where kept.owner = caller
    ) as together
    where together.latest < oldest
    order by together.latest limit 200
  loop
    perform public.studio_prune_memory(old.workflow_id, old.session_id, 0);
    pruned := pruned + 1;
  end loop;
  return pruned;
end;
$$;

select private.studio_grant_calls('public.studio_prune_conversations()', 'authenticated', 'service_role');

create or replace function public.studio_prune_conversations_on_start() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  if (select auth.uid()) is not null then
    perform public.studio_prune_conversations();
  end if;
  return null;
end;
$$;

select private.studio_grant_calls('public.studio_prune_conversations_on_start()', 'service_role');

-- The encrypted beginning of a question; null for what is none or is longer than a beginning can be.
create or replace function private.studio_sealed_title_of(p_message jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select p_message -> 'title'
  where jsonb_typeof(p_message -> 'sealed') = 'string' and jsonb_typeof(p_message -> 'title') = 'object'
    and octet_length((p_message -> 'title')::text) <= 4000;
$$;

select private.studio_grant_calls('private.studio_sealed_title_of(jsonb)');

-- What the caller's conversations are called. p_keys: [{ workflowId, sessionId }], at most 1,000; those without a name are
-- left out.
create or replace function public.studio_conversation_titles(p_keys jsonb)
returns table (workflow_id uuid, session_id text, title text, sealed_title jsonb)
language plpgsql stable security invoker set search_path = ''
as $$
declare
  asked jsonb;
begin
  for asked in select value from jsonb_array_elements(p_keys) limit 1000 loop
    if asked ->> 'workflowId' is null then
      return query
        select kept.workflow_id, kept.session_id, kept.title, kept.sealed_title
        from public.studio_memory_conversations as kept
        where kept.owner = (select auth.uid()) and kept.workflow_id is null
          and kept.session_id = asked ->> 'sessionId' and (kept.title is not null or kept.sealed_title is not null);
    else
      return query
        select kept.workflow_id, kept.session_id, kept.title, kept.sealed_title
        from public.studio_memory_conversations as kept
        where kept.owner = (select auth.uid()) and kept.workflow_id = (asked ->> 'workflowId')::uuid
          and kept.session_id = asked ->> 'sessionId' and (kept.title is not null or kept.sealed_title is not null);
    end if;
  end loop;
end;
$$;

select private.studio_grant_calls('public.studio_conversation_titles(jsonb)', 'authenticated', 'service_role');

-- The order of a conversation is that of its ids, and a row draws its id before it is stored. Where the database serves several
-- at once, the messages of two turns that are stored at the same moment would mix. So whoever appends waits for the same
-- account's appends that are under way, before the first id is drawn. Nothing is lost by that: the account's sums in
-- private.studio_usage make them wait for each other anyway, only too late.
create or replace function private.studio_append_in_turn() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('memory ' || coalesce(auth.uid()::text, ''), 0));
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_append_in_turn()');

-- Appends the messages of one turn and, where only the last ones are kept, deletes the others, in one write. What a write of
-- this name has brought already is left as it is. p_messages: [{ role, content, message }] in their order. p_write_id null: a
-- write without a name. p_keep: as for public.studio_prune_memory; null keeps all.
create or replace function public.studio_remember_turn(
  p_workflow_id uuid, p_session_id text, p_messages jsonb, p_write_id text default null, p_keep integer default null
) returns void
language plpgsql security invoker set search_path = ''
as $$
begin
  -- Ids are drawn as the rows come, so they follow the order of the turn.
  insert into public.studio_agent_memory
    (workflow_id, session_id, role, content, message, write_id, write_position)
  select p_workflow_id, p_session_id, said.entry ->> 'role', coalesce(said.entry ->> 'content', ''),
    said.entry -> 'message', p_write_id, case when p_write_id is not null then said.place - 1 end
  from jsonb_array_elements(p_messages) with ordinality as said (entry, place)
  order by said.place
  on conflict on constraint studio_agent_memory_write do nothing;
  if p_keep is not null then
    perform public.studio_prune_memory(p_workflow_id, p_session_id, p_keep);
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_remember_turn(uuid, text, jsonb, text, integer)', 'authenticated', 'service_role');

-- The last 200 runs of a conversation of the caller that have ended, the oldest first. Very large outputs are left out.
create or replace function public.studio_conversation_runs(p_workflow_id uuid, p_session_id text)
returns table (
  id uuid, status text, started_at timestamptz, question text, output jsonb, error jsonb, is_remembered boolean
)
language sql stable security invoker set search_path = ''
as $$
  select latest.id, latest.status, latest.started_at, latest.question, latest.output, latest.error,
    -- Of a completed run it is not asked.
    latest.status = 'completed' or exists (
      select 1 from public.studio_run_events as events
      where events.run_id = latest.id and events.type = 'memory-save' and not events.event ? 'parentCallId'
    )
  from (
    select runs.id, runs.status, runs.started_at, runs.error,
      case when jsonb_typeof(runs.input -> 'value' -> 'message') = 'string' then runs.input -> 'value' ->> 'message' end as question,
      case when octet_length(runs.output::text) < 200000 then runs.output -> 'value' end as output
    from public.studio_runs as runs
    where runs.workflow_id = p_workflow_id
      and left(runs.input -> 'value' ->> 'sessionId', 200) = left(p_session_id, 200)
      and runs.input -> 'value' ->> 'sessionId' = p_session_id
      and runs.status in ('completed', 'failed', 'cancelled', 'interrupted')
      and not runs.is_trial and runs.forked_from is null
    order by runs.started_at desc limit 200
  ) as latest
  order by latest.started_at;
$$;

select private.studio_grant_calls('public.studio_conversation_runs(uuid, text)', 'authenticated', 'service_role');

create trigger studio_agent_memory_drop_vector after update of message on public.studio_agent_memory
  for each row when (old.message is distinct from new.message) execute function public.studio_drop_stale_vector();
create trigger studio_agent_memory_added after insert on public.studio_agent_memory
  referencing new table as added for each statement execute function private.studio_add_to_conversations();
create trigger studio_agent_memory_edited after update on public.studio_agent_memory
  referencing old table as replaced new table as changed
  for each statement execute function private.studio_edit_in_conversations();
create trigger studio_agent_memory_removed after delete on public.studio_agent_memory
  referencing old table as removed for each statement execute function private.studio_take_from_conversations();
-- Triggers of one event fire by name: these come after those that count messages.
create trigger studio_agent_memory_then_named after insert on public.studio_agent_memory
  referencing new table as added for each statement execute function private.studio_name_added();
create trigger studio_agent_memory_then_renamed after update on public.studio_agent_memory
  referencing new table as changed for each statement execute function private.studio_name_edited();
create trigger studio_agent_memory_then_unnamed after delete on public.studio_agent_memory
  referencing old table as removed for each statement execute function private.studio_name_removed();
create trigger studio_agent_memory_in_turn before insert on public.studio_agent_memory
  for each statement execute function private.studio_append_in_turn();

select private.studio_count_table('public.studio_agent_memory', 'rows',
  'octet_length(item.content) + octet_length(item.message::text)');
select private.studio_count_table('public.studio_memory_vectors', 'rows', '4 * extensions.vector_dims(item.embedding)');

reset check_function_bodies;
