create or replace function private.studio_tell_of_run() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_tell_failure(new.workflow_id, 'failed ' || new.id, jsonb_build_object(
    'kind', 'run-failed',
    'message', coalesce(new.error ->> 'message', 'The run failed.'),
    'run', jsonb_build_object('id', new.id, 'source', new.source, 'version', new.published_version, 'error', new.error)));
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_tell_of_run()');
