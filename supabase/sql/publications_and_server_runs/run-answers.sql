-- What a run has asked, and what was decided.
create or replace function private.studio_run_answers(p_run_id uuid) returns table (call_id text, decision jsonb, expires_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select waits.call_id, waits.decision, waits.expires_at
  from public.studio_run_waits as waits where waits.run_id = p_run_id;
$$;

select private.studio_grant_calls('private.studio_run_answers(uuid)', 'studio_worker');
