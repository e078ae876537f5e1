-- What a conversation is called, and for how long conversations are kept.

alter table public.studio_memory_conversations
  -- The beginning of its first question. It stays when a window lets that message go, and follows when a person edits it.
  add column title text check (char_length(title) <= 200),
  add column title_message bigint,
  -- By the server's clock, unlike `last_used_at`, which an import takes from its file.
  add column last_written_at timestamptz not null default now();

-- One line of a message's text.
create function private.studio_title_of(p_content text) returns text
language sql immutable set search_path = ''
as $$
  select nullif(left(btrim(regexp_replace(left(p_content, 1000), '\s+', ' ', 'g')), 200), '');
$$;

-- Names one conversation by its first question, or by none.
create function private.studio_name_conversation(p_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  kept public.studio_memory_conversations;
  first_id bigint;
  first_title text;
begin
  select * into kept from public.studio_memory_conversations as conversation where conversation.id = p_id;
  if kept.workflow_id is null then
    select memory.id, private.studio_title_of(memory.content) into first_id, first_title
    from public.studio_agent_memory as memory
    where memory.owner = kept.owner and memory.workflow_id is null and memory.session_id = kept.session_id
      and memory.role = 'user' and private.studio_title_of(memory.content) is not null
    order by memory.id limit 1;
  else
    select memory.id, private.studio_title_of(memory.content) into first_id, first_title
    from public.studio_agent_memory as memory
    where memory.owner = kept.owner and memory.workflow_id = kept.workflow_id and memory.session_id = kept.session_id
      and memory.role = 'user' and private.studio_title_of(memory.content) is not null
    order by memory.id limit 1;
  end if;
  update public.studio_memory_conversations as conversation
  set title = first_title, title_message = first_id where conversation.id = p_id;
end;
$$;

create function private.studio_name_added() returns trigger
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
      returning kept.id, kept.title into conversation;
    else
      update public.studio_memory_conversations as kept set last_written_at = now()
      where kept.owner = place.owner and kept.workflow_id = place.workflow_id and kept.session_id = place.session_id
      returning kept.id, kept.title into conversation;
    end if;
    if conversation.title is null then
      perform private.studio_name_conversation(conversation.id);
    end if;
  end loop;
  return null;
end;
$$;

create function private.studio_name_edited() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_name_conversation(kept.id)
  from changed join public.studio_memory_conversations as kept
    on kept.owner = changed.owner and kept.session_id = changed.session_id and kept.title_message = changed.id;
  return null;
end;
$$;

-- Pruning takes whole turns and leaves the name; a message that a person deletes goes alone, and out of the name as well.
create function private.studio_name_removed() returns trigger
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

revoke all on function private.studio_title_of(text) from public, anon, authenticated, service_role;
revoke all on function private.studio_name_conversation(uuid) from public, anon, authenticated, service_role;
revoke all on function private.studio_name_added() from public, anon, authenticated, service_role;
revoke all on function private.studio_name_edited() from public, anon, authenticated, service_role;
revoke all on function private.studio_name_removed() from public, anon, authenticated, service_role;

-- Triggers of one event fire by name: these come after those that count messages.
create trigger studio_agent_memory_then_named after insert on public.studio_agent_memory
  referencing new table as added for each statement execute function private.studio_name_added();
create trigger studio_agent_memory_then_renamed after update on public.studio_agent_memory
  referencing new table as changed for each statement execute function private.studio_name_edited();
create trigger studio_agent_memory_then_unnamed after delete on public.studio_agent_memory
  referencing old table as removed for each statement execute function private.studio_name_removed();

select private.studio_name_conversation(kept.id) from public.studio_memory_conversations as kept;
update public.studio_memory_conversations set last_written_at = least(last_used_at, now());

create index studio_memory_conversations_title_message on public.studio_memory_conversations (title_message);

-- What the caller's conversations are called. p_keys: [{ workflowId, sessionId }], at most 1,000; those without a name are
-- left out.
create function public.studio_conversation_titles(p_keys jsonb)
returns table (workflow_id uuid, session_id text, title text)
language plpgsql stable security invoker set search_path = ''
as $$
declare
  asked jsonb;
begin
  for asked in select value from jsonb_array_elements(p_keys) limit 1000 loop
    if asked ->> 'workflowId' is null then
      return query
        select kept.workflow_id, kept.session_id, kept.title from public.studio_memory_conversations as kept
        where kept.owner = (select auth.uid()) and kept.workflow_id is null
          and kept.session_id = asked ->> 'sessionId' and kept.title is not null;
    else
      return query
        select kept.workflow_id, kept.session_id, kept.title from public.studio_memory_conversations as kept
        where kept.owner = (select auth.uid()) and kept.workflow_id = (asked ->> 'workflowId')::uuid
          and kept.session_id = asked ->> 'sessionId' and kept.title is not null;
    end if;
  end loop;
end;
$$;

-- As before, but a conversation is also found by the words of its name.
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

-- Retention ------------------------------------------------------------------------------------------

alter table public.studio_settings add constraint studio_settings_conversation_retention check (
  name <> 'conversation-retention'
  or (value ? 'keepDays' and coalesce((value ->> 'keepDays')::numeric between 1 and 3650, true))
);

create index studio_memory_conversations_last_written on public.studio_memory_conversations (owner, last_written_at);

-- Deletes the caller's conversations that nobody has written to for as many days as the setting "conversation-retention"
-- says, none where nothing was chosen, and gives how many there were: at most 200, the oldest, since a run that starts waits
-- for it. A scratchpad or a summary goes with its conversation and not before it.
create function public.studio_prune_conversations() returns integer
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

create function public.studio_prune_conversations_on_start() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  if (select auth.uid()) is not null then
    perform public.studio_prune_conversations();
  end if;
  return null;
end;
$$;

revoke all on function public.studio_prune_conversations_on_start() from public, anon, authenticated;
create trigger studio_runs_prune_conversations after insert on public.studio_runs
  for each statement execute function public.studio_prune_conversations_on_start();

revoke all on function public.studio_conversation_titles(jsonb) from public, anon;
revoke all on function public.studio_prune_conversations() from public, anon;
grant execute on function public.studio_conversation_titles(jsonb) to authenticated, service_role;
grant execute on function public.studio_prune_conversations() to authenticated, service_role;
