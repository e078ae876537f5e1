-- The subject's conversations, the latest first: [{ id, title, at }].
create or replace function public.studio_chat_threads_of(p_workflow_id uuid, p_subject text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', latest.id, 'title', latest.title, 'at', round(extract(epoch from latest.updated_at) * 1000))
    order by latest.updated_at desc), '[]'::jsonb)
  from (
    select threads.id, threads.title, threads.updated_at from public.studio_chat_threads as threads
    where threads.workflow_id = p_workflow_id and threads.subject = p_subject
    order by threads.updated_at desc limit 100
  ) as latest;
$$;

select private.studio_grant_calls('public.studio_chat_threads_of(uuid, text)', 'service_role');
