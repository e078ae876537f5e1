-- Encrypted conversations. A message that the studio has encrypted is stored as { id, key, sealed, title? }: `key` is the
-- version of the key, `sealed` the ciphertext, and `title` the same of the beginning of a question. Postgres holds no key.

-- No text beside its ciphertext. Not checked on older rows, of which none is encrypted.
alter table public.studio_agent_memory
  add constraint studio_agent_memory_sealed check (not (message ? 'sealed') or content = '') not valid;

-- What a conversation is called whose first question is encrypted; `title` is null then.
alter table public.studio_memory_conversations add column sealed_title jsonb;

-- The encrypted beginning of a question; null for what is none or is longer than a beginning can be.
create function private.studio_sealed_title_of(p_message jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select p_message -> 'title'
  where jsonb_typeof(p_message -> 'sealed') = 'string' and jsonb_typeof(p_message -> 'title') = 'object'
    and octet_length((p_message -> 'title')::text) <= 4000;
$$;

revoke all on function private.studio_sealed_title_of(jsonb) from public, anon, authenticated, service_role;

-- As before, and a question that is encrypted brings its encrypted beginning.
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

-- As before, with encrypted names as they are stored; of the two names of a conversation one is null.
drop function public.studio_conversation_titles(jsonb);

create function public.studio_conversation_titles(p_keys jsonb)
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

revoke all on function public.studio_conversation_titles(jsonb) from public, anon;
grant execute on function public.studio_conversation_titles(jsonb) to authenticated, service_role;
