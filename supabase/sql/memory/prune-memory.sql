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
