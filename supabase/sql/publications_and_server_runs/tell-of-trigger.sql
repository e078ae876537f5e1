create or replace function private.studio_tell_of_trigger() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_tell_failure(
    new.workflow_id, left('trigger ' || new.id || ' ' || md5(new.problem), 255), jsonb_build_object(
      'kind', 'trigger-stopped', 'message', new.problem,
      'trigger', jsonb_build_object('id', new.id, 'nodeId', new.node_id, 'cron', new.cron)));
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_tell_of_trigger()');
