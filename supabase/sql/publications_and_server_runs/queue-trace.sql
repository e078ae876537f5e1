-- Traces must not keep a run from ending.
create or replace function private.studio_queue_trace() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.studio_trace_exports (run_id, owner, workflow_id)
  select new.id, new.owner, collectors.workflow_id from private.studio_collectors as collectors
  where collectors.workflow_id = new.workflow_id
  on conflict (run_id) do nothing;
  return null;
exception when others then
  raise warning 'A trace was not queued: %', sqlerrm;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_queue_trace()');
