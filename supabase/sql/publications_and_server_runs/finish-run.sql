-- Stores the last events of a run and its end, both or neither; 'ok' or 'fenced'. The start is counted back from the end by the
-- events, since a worker reads the workflow between taking the run and its first event; where they found no room, it stays.
-- p_end: { status, output, error, ending, totalTokens, costUsd, usage }.
create or replace function private.studio_finish_run(p_run_id uuid, p_attempt integer, p_events jsonb, p_end jsonb) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  added_at timestamptz;
  first_at timestamptz;
  last_at timestamptz;
begin
  if private.studio_append_run_events(
    p_run_id, p_attempt, p_events, 60000, (p_end ->> 'costUsd')::numeric
  ) ->> 'state' = 'fenced' then
    return 'fenced';
  end if;
  select runs.added_at into added_at from public.studio_runs as runs where runs.id = p_run_id;
  select stored.at into first_at from public.studio_run_events as stored
  where stored.run_id = p_run_id and stored.run_added_at = added_at and stored.seq = 0 and stored.type = 'run-start';
  select last.at into last_at
  from (
    select stored.at, stored.type from public.studio_run_events as stored
    where stored.run_id = p_run_id and stored.run_added_at = added_at
    order by stored.seq desc
    limit 1
  ) as last
  where last.type = 'run-end';
  update public.studio_runs as runs set
    status = p_end ->> 'status',
    output = jsonb_build_object('value', p_end -> 'output'),
    error = nullif(p_end -> 'error', 'null'::jsonb),
    ending = nullif(p_end -> 'ending', 'null'::jsonb),
    total_tokens = (p_end ->> 'totalTokens')::integer,
    cost_usd = (p_end ->> 'costUsd')::numeric,
    usage = nullif(p_end -> 'usage', 'null'::jsonb),
    started_at = coalesce(now() - (last_at - first_at), runs.started_at),
    ended_at = now(), lease_until = null
  where runs.id = p_run_id;
  return 'ok';
end;
$$;

select private.studio_grant_calls('private.studio_finish_run(uuid, integer, jsonb, jsonb)', 'studio_worker');
