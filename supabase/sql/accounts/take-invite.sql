-- Uses an invite up; false when it was used before.
create or replace function public.studio_take_invite(p_id uuid, p_expires_at timestamptz) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  taken integer;
begin
  delete from private.studio_used_invites where expires_at < now() - interval '1 day';
  insert into private.studio_used_invites (id, expires_at) values (p_id, p_expires_at) on conflict do nothing;
  get diagnostics taken = row_count;
  return taken = 1;
end;
$$;

select private.studio_grant_calls('public.studio_take_invite(uuid, timestamp with time zone)', 'service_role');
