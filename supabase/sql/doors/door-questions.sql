-- What a run asks and nobody has answered yet: [{ callId, kind, question, expiresAt }].
create or replace function public.studio_door_questions(p_run_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'callId', waits.call_id, 'kind', waits.kind, 'question', waits.question, 'expiresAt', waits.expires_at)
    order by waits.asked_at), '[]'::jsonb)
  from public.studio_run_waits as waits
  where waits.run_id = p_run_id and waits.decision is null and waits.kind <> 'time';
$$;

select private.studio_grant_calls('public.studio_door_questions(uuid)', 'service_role');
