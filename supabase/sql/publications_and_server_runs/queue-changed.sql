-- At the end of a transaction in which a run was queued, ended, put to wait or deleted: its owner's next runs are admitted. What
-- cannot be admitted now keeps nobody from queueing or ending a run: workers look again, and their trouble is told.
create or replace function private.studio_queue_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  run_owner constant uuid := case when tg_op = 'DELETE' then old.owner else new.owner end;
begin
  if tg_op = 'UPDATE' and old.status = 'queued' then
    delete from private.studio_run_jobs as jobs where jobs.id in (
      select held.id from private.studio_run_jobs as held where held.run_id = new.id for update skip locked);
  end if;
  -- Many at once.
  if tg_op = 'DELETE' then
    perform private.studio_check_later(run_owner, now());
    return null;
  end if;
  begin
    perform private.studio_limit_waiting();
    perform private.studio_admit_runs(run_owner);
  exception when others then
    perform private.studio_check_later(run_owner, now());
  end;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_queue_changed()');
