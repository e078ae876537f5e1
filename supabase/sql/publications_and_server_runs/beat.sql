-- Says that a worker is there and renews its leases. p_runs: [{ id, attempt }]. Gives, by run id, what is new for it:
-- { fenced: [id], cancelled: [id], decided: [{ runId, callId, decision }] }. A run whose row somebody else has locked keeps its
-- lease for now, and the others do not wait for it.
create or replace function private.studio_beat(p_worker text, p_concurrency integer, p_runs jsonb, p_lease_ms integer) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  mine jsonb;
begin
  insert into private.studio_workers as workers (id, concurrency) values (p_worker, p_concurrency)
  on conflict (id) do update set seen_at = now(), concurrency = excluded.concurrency;
  with held as (
    select (one ->> 'id')::uuid as id, (one ->> 'attempt')::integer as attempt
    from jsonb_array_elements(p_runs) as one
  ), own as (
    select runs.id, runs.cancel_requested_at from public.studio_runs as runs
    join held on held.id = runs.id and held.attempt = runs.attempt
    where runs.status = 'running' and runs.source <> 'editor'
  ), free as (
    select runs.id from public.studio_runs as runs
    join held on held.id = runs.id and held.attempt = runs.attempt
    where runs.status = 'running' and runs.source <> 'editor'
    for update of runs skip locked
  ), renewed as (
    update public.studio_runs as runs set
      lease_until = clock_timestamp() + make_interval(secs => p_lease_ms / 1000.0)
    from free where runs.id = free.id
  )
  select jsonb_build_object(
    'fenced', (
      select coalesce(jsonb_agg(held.id), '[]') from held
      where held.id not in (select own.id from own)
    ),
    'cancelled', (
      select coalesce(jsonb_agg(own.id), '[]') from own where own.cancel_requested_at is not null
    ),
    'decided', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'runId', waits.run_id, 'callId', waits.call_id, 'decision', waits.decision)), '[]')
      from own join public.studio_run_waits as waits on waits.run_id = own.id
      where waits.decision is not null
    )
  ) into mine;
  return mine;
end;
$$;

select private.studio_grant_calls('private.studio_beat(text, integer, jsonb, integer)', 'studio_worker');
