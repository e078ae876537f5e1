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
