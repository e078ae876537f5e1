-- The caller follows a run: for the next 90 seconds Realtime tells of its changes on the private channel `studio-run:<id>`. False
-- where there is no Realtime, and for a run that is not the caller's.
create or replace function public.studio_watch_run(p_run_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is null or not exists (
    select from public.studio_runs as runs where runs.id = p_run_id and runs.owner = caller and runs.source <> 'editor'
  ) then
    return false;
  end if;
  delete from private.studio_watched_runs as watched where watched.until < now();
  insert into private.studio_watched_runs as watched (run_id, until) values (p_run_id, now() + interval '90 seconds')
  on conflict (run_id) do update set until = excluded.until;
  return true;
end;
$$;

select private.studio_grant_calls('public.studio_watch_run(uuid)', 'authenticated');
