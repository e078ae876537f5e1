-- Asks for the end of a run; gives its status, or null where there is none. One that no worker has touched ends here and now.
create or replace function public.studio_door_cancel(p_run_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  run public.studio_runs%rowtype;
begin
  select * into run from public.studio_runs as found
  where found.id = p_run_id and found.source <> 'editor' for update;
  if not found then
    return null;
  end if;
  if run.status not in ('queued', 'running', 'waiting') then
    return run.status;
  end if;
  update public.studio_runs as runs set
    cancel_requested_at = coalesce(runs.cancel_requested_at, now()),
    status = case
      when runs.status = 'queued' and runs.attempt = 0 then 'cancelled'
      -- A worker writes the end of what has begun.
      when runs.status = 'waiting' then 'queued'
      else runs.status end,
    queued_at = case when runs.status = 'waiting' then now() else runs.queued_at end,
    ended_at = case when runs.status = 'queued' and runs.attempt = 0 then now() end
  where runs.id = p_run_id
  returning runs.status into run.status;
  perform private.studio_wake_workers();
  return run.status;
end;
$$;

select private.studio_grant_calls('public.studio_door_cancel(uuid)', 'service_role');
