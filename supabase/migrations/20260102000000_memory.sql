-- What the memories need of Postgres: vectors of remembered messages, and one request each for pruning, for finding
-- messages by meaning and for listing conversations. The functions run with the caller's rights, so that row level
-- security decides what they see.

create schema if not exists extensions;
create extension if not exists vector with schema extensions;

-- Shared conversations have no workflow; `is null` gives no order in the index of all.
create index studio_agent_memory_shared
  on public.studio_agent_memory (owner, session_id, id) where workflow_id is null;

alter table public.studio_agent_memory add constraint studio_agent_memory_id_owner unique (id, owner);

-- Vectors ------------------------------------------------------------------------------------------

create table public.studio_memory_vectors (
  message_id bigint primary key,
  owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
  -- Who made the vector; those of two models cannot be compared.
  model text not null check (char_length(model) between 1 and 300),
  embedding extensions.vector not null,
  foreign key (message_id, owner) references public.studio_agent_memory (id, owner) on delete cascade
);

create index studio_memory_vectors_of_owner on public.studio_memory_vectors (owner);

alter table public.studio_memory_vectors enable row level security;
revoke all on table public.studio_memory_vectors from public, anon, authenticated;
grant select, insert, delete on table public.studio_memory_vectors to authenticated;
grant all on table public.studio_memory_vectors to service_role;

create policy studio_memory_vectors_select on public.studio_memory_vectors
  for select to authenticated using (owner = (select auth.uid()));
create policy studio_memory_vectors_insert on public.studio_memory_vectors
  for insert to authenticated with check (owner = (select auth.uid()));
create policy studio_memory_vectors_delete on public.studio_memory_vectors
  for delete to authenticated using (owner = (select auth.uid()));

-- An edited message means something else; it is found again once it is embedded again.
create function public.studio_drop_stale_vector() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  delete from public.studio_memory_vectors where message_id = new.id;
  return new;
end;
$$;

revoke all on function public.studio_drop_stale_vector() from public, anon, authenticated;

create trigger studio_agent_memory_drop_vector after update of message on public.studio_agent_memory
  for each row when (old.message is distinct from new.message) execute function public.studio_drop_stale_vector();

-- Appends the messages of one turn with their vectors. p_entries: [{ role, content, message, embedding }], where
-- embedding is text such as "[0.1,0.2]", or null.
create function public.studio_append_memory(p_workflow_id uuid, p_session_id text, p_model text, p_entries jsonb)
returns void
language plpgsql security invoker set search_path = ''
as $$
declare
  entry jsonb;
  added bigint;
begin
  -- One statement a row, so that ids follow the order of the turn.
  for entry in select value from jsonb_array_elements(p_entries) with ordinality order by ordinality loop
    insert into public.studio_agent_memory (workflow_id, session_id, role, content, message)
    values (p_workflow_id, p_session_id, entry ->> 'role', coalesce(entry ->> 'content', ''), entry -> 'message')
    returning id into added;
    if entry ->> 'embedding' is not null then
      insert into public.studio_memory_vectors (message_id, model, embedding)
      values (added, p_model, (entry ->> 'embedding')::extensions.vector);
    end if;
  end loop;
end;
$$;

-- The p_limit messages of one conversation, older than p_before (null: all), whose vectors are closest to p_embedding by
-- cosine distance.
create function public.studio_search_memory(
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

-- Conversations ------------------------------------------------------------------------------------

-- Deletes all but the last p_keep messages of a conversation and the rest of the turn that they begin in, so that no
-- turn is torn. 0 clears the conversation.
create function public.studio_prune_memory(p_workflow_id uuid, p_session_id text, p_keep integer) returns void
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

-- The conversations of one workflow and the shared ones, the latest used first. `bytes` counts the messages as JSON.
create function public.studio_memory_sessions(p_workflow_id uuid)
returns table (workflow_id uuid, session_id text, messages bigint, bytes bigint, last_used_at timestamptz)
language sql stable security invoker set search_path = ''
as $$
  select memory.workflow_id, memory.session_id, count(*), sum(octet_length(memory.message::text)),
    max(memory.created_at)
  from public.studio_agent_memory as memory
  where memory.owner = (select auth.uid()) and (memory.workflow_id = p_workflow_id or memory.workflow_id is null)
  group by memory.workflow_id, memory.session_id
  order by max(memory.id) desc;
$$;

revoke all on function public.studio_append_memory(uuid, text, text, jsonb) from public, anon, authenticated;
grant execute on function public.studio_append_memory(uuid, text, text, jsonb) to authenticated, service_role;
revoke all on function public.studio_search_memory(uuid, text, text, text, integer, bigint)
  from public, anon, authenticated;
grant execute on function public.studio_search_memory(uuid, text, text, text, integer, bigint)
  to authenticated, service_role;
revoke all on function public.studio_prune_memory(uuid, text, integer) from public, anon, authenticated;
grant execute on function public.studio_prune_memory(uuid, text, integer) to authenticated, service_role;
revoke all on function public.studio_memory_sessions(uuid) from public, anon, authenticated;
grant execute on function public.studio_memory_sessions(uuid) to authenticated, service_role;
