-- Asks for the end of the caller's run; gives its status. One that no worker has touched ends here and now.
create or replace function public.studio_cancel_run(p_run_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  run public.studio_runs%rowtype;
begin
  select * into run from public.studio_runs as found
  where found.id = p_run_id and found.owner = caller and found.source <> 'editor' for update;
  if not found then
    raise exception 'run_not_found' using errcode = 'PT404';
  end if;
  if run.status not in ('queued', 'running', 'waiting') then
    return run.status;
  end if;
  update public.studio_runs as own set
    cancel_requested_at = coalesce(own.cancel_requested_at, now()),
    status = case
      when own.status = 'queued' and own.attempt = 0 then 'cancelled'
      -- A worker writes the end of what has begun.
      when own.status = 'waiting' then 'queued'
      else own.status end,
    queued_at = case when own.status = 'waiting' then now() else own.queued_at end,
    ended_at = case when own.status = 'queued' and own.attempt = 0 then now() end
  where own.id = p_run_id
  returning own.status into run.status;
  perform private.studio_wake_workers();
  return run.status;
end;
$$;

select private.studio_grant_calls('public.studio_cancel_run(uuid)', 'authenticated', 'service_role');
