-- At the end of a transaction in which a run was queued, ended, put to wait or deleted: its owner's next runs are admitted, once
-- however many of his runs there were. What cannot be admitted now keeps nobody from queueing or ending a run: workers look again,
-- and their trouble is told.
create or replace function private.studio_queue_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  run_owner constant uuid := case when tg_op = 'DELETE' then old.owner else new.owner end;
  -- Only this workflow's, where no place became free.
  of_workflow uuid;
  admitted constant text := coalesce(current_setting('studio.admitted', true), '');
  mark text;
begin
  if tg_op = 'UPDATE' and old.status = 'queued' then
    delete from private.studio_run_jobs as jobs where jobs.id in (
      select held.id from private.studio_run_jobs as held where held.run_id = new.id for update skip locked);
  end if;
  if tg_op = 'INSERT' or (tg_op = 'UPDATE' and old.status = 'waiting') then
    of_workflow := new.workflow_id;
  end if;
  -- This comes after all statements of the transaction, so the first admission has seen what they did.
  mark := concat(run_owner, '/', of_workflow, ' ');
  if strpos(admitted, concat(run_owner, '/ ')) > 0 or strpos(admitted, mark) > 0 then
    return null;
  end if;
  perform set_config('studio.admitted', admitted || mark, true);
  begin
    perform private.studio_limit_waiting();
    perform private.studio_admit_runs(run_owner, of_workflow);
  exception when others then
    perform private.studio_check_later(run_owner, now());
  end;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_queue_changed()');
