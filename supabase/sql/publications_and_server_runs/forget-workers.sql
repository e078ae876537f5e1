-- Workers that are gone are forgotten when another one comes.
create or replace function private.studio_forget_workers() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.studio_workers as workers where workers.seen_at < now() - interval '1 day';
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_forget_workers()');
