-- What the server asks before it lets somebody in: whether an invite was used already, and whether there is an account, so
-- that a wrong password for an account that does not exist takes as long as one for an account that does.

create table private.studio_used_invites (
  id uuid primary key,
  -- From then on the invite is refused by its own date.
  expires_at timestamptz not null
);

alter table private.studio_used_invites enable row level security;
revoke all on table private.studio_used_invites from public, anon, authenticated, service_role;

-- Uses an invite up; false when it was used before.
create function public.studio_take_invite(p_id uuid, p_expires_at timestamptz) returns boolean
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

-- Gives back an invite whose sign-up did not succeed.
create function public.studio_return_invite(p_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.studio_used_invites where id = p_id;
$$;

create function public.studio_account_exists(p_email text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from auth.users where email = lower(p_email));
$$;

revoke all on function public.studio_take_invite(uuid, timestamptz) from public, anon, authenticated;
grant execute on function public.studio_take_invite(uuid, timestamptz) to service_role;
revoke all on function public.studio_return_invite(uuid) from public, anon, authenticated;
grant execute on function public.studio_return_invite(uuid) to service_role;
revoke all on function public.studio_account_exists(text) from public, anon, authenticated;
grant execute on function public.studio_account_exists(text) to service_role;
