create or replace function private.studio_forget_waits() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.studio_run_waits as waits where waits.run_id = new.id;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_forget_waits()');
