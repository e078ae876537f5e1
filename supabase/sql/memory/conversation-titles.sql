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
