create or replace function private.studio_set_callers() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.callers := private.studio_callers_of(new);
  return new;
end;
$$;

select private.studio_grant_calls('private.studio_set_callers()');
