create or replace function private.studio_end_bookings() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.studio_booked_calls as booked where booked.run_id = new.id;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_end_bookings()');
