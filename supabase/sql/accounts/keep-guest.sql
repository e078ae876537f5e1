-- Turns a guest into an account with an address and a password. The user stays the same, and so does everything that
-- belongs to it. Gives 'kept', 'taken' when another account has the address, or 'no-guest'.
create or replace function public.studio_keep_guest(p_user uuid, p_session uuid, p_email text, p_password text) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  address constant text := lower(p_email);
begin
  if exists (select from auth.users where email = address and id <> p_user) then
    return 'taken';
  end if;
  update auth.users
  set email = address, encrypted_password = p_password, updated_at = now(),
    raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || jsonb_build_object('email', address)
  where id = p_user and email like '%@guest.local';
  if not found then
    return 'no-guest';
  end if;
  update auth.identities
  set identity_data = identity_data || jsonb_build_object('email', address), updated_at = now()
  where user_id = p_user and provider = 'email';
  perform private.studio_end_sessions(p_user, p_session);
  return 'kept';
exception when unique_violation then
  return 'taken';
end;
$$;

select private.studio_grant_calls('public.studio_keep_guest(uuid, uuid, text, text)', 'service_role');
