-- Indices for every foreign key, no sequence for anybody but the service role, and lists and pruning that read by an
-- index however many rows there are.

-- Foreign keys ---------------------------------------------------------------------------------------

-- Where an index of part of the key was there already, one of the whole key takes its place.
create index studio_workflows_of_owner on public.studio_workflows (owner);

create index studio_runs_of_workflow_newest on public.studio_runs (workflow_id, owner, started_at desc);
drop index public.studio_runs_of_workflow;

create index studio_run_events_of_owner_and_run on public.studio_run_events (owner, run_id);
drop index public.studio_run_events_of_owner;

create index studio_workflow_versions_of_owner_and_workflow on public.studio_workflow_versions (owner, workflow_id);
drop index public.studio_workflow_versions_of_owner;

create index studio_memory_vectors_of_owner_and_message on public.studio_memory_vectors (owner, message_id);
drop index public.studio_memory_vectors_of_owner;

create index studio_knowledge_documents_of_collection_newest
  on public.studio_knowledge_documents (collection_id, owner, created_at desc);
drop index public.studio_knowledge_documents_of_collection;

create index studio_knowledge_chunks_of_collection_and_document
  on public.studio_knowledge_chunks (collection_id, document_id, owner);
drop index public.studio_knowledge_chunks_of_collection;

create index studio_knowledge_words_of_collection on public.studio_knowledge_words (collection_id, owner);

-- Sequences ------------------------------------------------------------------------------------------

-- Identity columns take their numbers with the rights of the table.
revoke all on all sequences in schema public from public, anon, authenticated;

-- Pruning of runs ------------------------------------------------------------------------------------

create index studio_runs_last_written on public.studio_runs (owner, updated_at);

-- As before, but each limit finds what is beyond it by an index.
create or replace function public.studio_prune_runs() returns integer
language plpgsql security invoker set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  keep_days integer;
  keep_runs integer;
  last_started timestamptz;
  last_id uuid;
  too_old integer := 0;
  too_many integer := 0;
begin
  select (settings.value ->> 'keepDays')::integer, (settings.value ->> 'keepRuns')::integer into keep_days, keep_runs
  from public.studio_settings as settings where settings.owner = caller and settings.name = 'run-retention';
  if not found then
    keep_days := 90;
    keep_runs := 2000;
  end if;
  if keep_days is not null then
    delete from public.studio_runs as runs
    where runs.owner = caller and runs.updated_at < now() - make_interval(days => keep_days)
      and (runs.status <> 'running' or runs.updated_at < now() - interval '1 day');
    get diagnostics too_old = row_count;
  end if;
  if keep_runs is not null then
    select last_kept.started_at, last_kept.id into last_started, last_id from public.studio_runs as last_kept
    where last_kept.owner = caller
    order by last_kept.started_at desc, last_kept.id desc offset keep_runs - 1 limit 1;
    if found then
      delete from public.studio_runs as runs
      where runs.owner = caller and (runs.started_at, runs.id) < (last_started, last_id)
        and (runs.status <> 'running' or runs.updated_at < now() - interval '1 day');
      get diagnostics too_many = row_count;
    end if;
  end if;
  return too_old + too_many;
end;
$$;

-- Conversations --------------------------------------------------------------------------------------

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
  constraint studio_memory_conversations_one unique nulls not distinct (owner, workflow_id, session_id),
  foreign key (workflow_id, owner) references public.studio_workflows (id, owner) on delete cascade
);

alter table public.studio_memory_conversations enable row level security;
revoke all on table public.studio_memory_conversations from public, anon, authenticated;
grant select on table public.studio_memory_conversations to authenticated;
grant all on table public.studio_memory_conversations to service_role;

create policy studio_memory_conversations_select on public.studio_memory_conversations
  for select to authenticated using (owner = (select auth.uid()));

insert into public.studio_memory_conversations
  (owner, workflow_id, session_id, messages, bytes, last_message, last_used_at)
select memory.owner, memory.workflow_id, memory.session_id, count(*), sum(octet_length(memory.message::text)),
  max(memory.id), max(memory.created_at)
from public.studio_agent_memory as memory
group by memory.owner, memory.workflow_id, memory.session_id;

create function private.studio_add_to_conversations() returns trigger
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

-- An edit changes the size alone: neither whose message it is nor its conversation can be changed.
create function private.studio_edit_in_conversations() returns trigger
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

create function private.studio_take_from_conversations() returns trigger
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

revoke all on function private.studio_add_to_conversations() from public, anon, authenticated, service_role;
revoke all on function private.studio_edit_in_conversations() from public, anon, authenticated, service_role;
revoke all on function private.studio_take_from_conversations() from public, anon, authenticated, service_role;

create trigger studio_agent_memory_added after insert on public.studio_agent_memory
  referencing new table as added for each statement execute function private.studio_add_to_conversations();
create trigger studio_agent_memory_edited after update on public.studio_agent_memory
  referencing old table as replaced new table as changed
  for each statement execute function private.studio_edit_in_conversations();
create trigger studio_agent_memory_removed after delete on public.studio_agent_memory
  referencing old table as removed for each statement execute function private.studio_take_from_conversations();

-- As before, read from the conversations instead of their messages.
create or replace function public.studio_memory_sessions(p_workflow_id uuid)
returns table (workflow_id uuid, session_id text, messages bigint, bytes bigint, last_used_at timestamptz)
language sql stable security invoker set search_path = ''
as $$
  select kept.workflow_id, kept.session_id, kept.messages, kept.bytes, kept.last_used_at
  from public.studio_memory_conversations as kept
  where kept.owner = (select auth.uid()) and (kept.workflow_id = p_workflow_id or kept.workflow_id is null)
  order by kept.last_message desc;
$$;
