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
