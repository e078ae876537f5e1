-- What cannot be counted must not keep a run from ending.
create or replace function private.studio_count_ended_run() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_count_run(new);
  return null;
exception when others then
  raise warning 'A run was not counted: %', sqlerrm;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_count_ended_run()');
