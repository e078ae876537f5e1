-- After a change of limits the owner's queue is looked at before the next run is taken.
create or replace function private.studio_limits_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_check_later(new.owner, now());
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_limits_changed()');
