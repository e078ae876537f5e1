-- Ends runs of an owner that p_most_lost workers in a row went away with, 50 at most. Gives how many there were.
create or replace function private.studio_fail_lost_runs(p_owner uuid, p_most_lost integer default 5) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  failed integer;
begin
  perform private.studio_limit_waiting();
  update public.studio_runs as runs set
    status = 'failed', ended_at = now(), lease_until = null,
    error = jsonb_build_object(
      'code', 'internal', 'retryable', true,
      'message', 'The worker went away ' || runs.lost + 1 || ' times at the same place of this run.',
      'hint', 'Look at the last step that is recorded: it may need more memory than the worker has. Then start the run again.')
  where runs.id in (
    select lost.id from public.studio_runs as lost
    where lost.owner = p_owner and lost.status = 'running' and lost.source <> 'editor' and lost.lease_until < now()
      and lost.lost + 1 >= p_most_lost
    order by lost.lease_until
    limit 50
    for update skip locked
  );
  get diagnostics failed = row_count;
  return failed;
end;
$$;

select private.studio_grant_calls('private.studio_fail_lost_runs(uuid, integer)', 'studio_worker');
