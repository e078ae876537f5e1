-- Stores what a worker has recorded and renews its lease: { state: 'ok' | 'cancelled' | 'fenced', cap? }. `fenced`: another
-- attempt has the run, or it is gone; nothing was stored. p_usd null leaves the spending as it is.
create or replace function private.studio_append_run_events(
  p_run_id uuid, p_attempt integer, p_events jsonb, p_lease_ms integer, p_usd numeric default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  run record;
  cap text;
begin
  update public.studio_runs as runs set
    lease_until = clock_timestamp() + make_interval(secs => p_lease_ms / 1000.0),
    lost = case when jsonb_array_length(p_events) > 0 then 0 else runs.lost end
  -- In these words, or Postgres may look for it among the leases of all runs.
  where runs.id = p_run_id and runs.attempt = p_attempt and runs.status = 'running' and runs.source is distinct from 'editor'
  returning runs.owner, runs.added_at, runs.cancel_requested_at into run;
  if not found then
    return jsonb_build_object('state', 'fenced');
  end if;
  insert into public.studio_run_events (run_id, run_added_at, seq, owner, at, type, event)
  select p_run_id, run.added_at, (one ->> 'seq')::integer, run.owner, to_timestamp((one ->> 'at')::numeric / 1000), one ->> 'type', one
  from jsonb_array_elements(p_events) as one
  -- An answer that got lost: the same attempt writes the same again.
  on conflict (run_id, seq, run_added_at) do nothing;
  if p_usd is not null then
    cap := private.studio_book_spending(p_run_id, p_usd);
  end if;
  return jsonb_strip_nulls(jsonb_build_object(
    'state', case when run.cancel_requested_at is null then 'ok' else 'cancelled' end, 'cap', cap));
end;
$$;

select private.studio_grant_calls('private.studio_append_run_events(uuid, integer, jsonb, integer, numeric)', 'studio_worker');
