-- Asks what a run waits for, while it goes on or before it stops to wait. Asking again changes nothing.
create or replace function private.studio_ask(
  p_run_id uuid, p_attempt integer, p_call_id text, p_kind text, p_question jsonb, p_expires_at timestamptz
) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  run_owner uuid;
begin
  select runs.owner into run_owner from public.studio_runs as runs
  where runs.id = p_run_id and runs.attempt = p_attempt and runs.status = 'running';
  if not found then
    return 'fenced';
  end if;
  insert into public.studio_run_waits (run_id, call_id, owner, kind, question, expires_at)
  values (p_run_id, p_call_id, run_owner, p_kind, p_question, p_expires_at)
  on conflict (run_id, call_id) do nothing;
  return 'ok';
end;
$$;

select private.studio_grant_calls('private.studio_ask(uuid, integer, text, text, jsonb, timestamp with time zone)', 'studio_worker');
