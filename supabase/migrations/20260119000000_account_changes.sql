-- Changes of an account that the server makes once it has checked who asks. Each is one transaction, and ends the other sessions of
-- the account. Passwords come hashed, as the auth API keeps them.

create function private.studio_end_sessions(p_user uuid, p_except uuid) returns void
language sql volatile set search_path = ''
as $$
  delete from auth.refresh_tokens
  where user_id::text = p_user::text and session_id::text is distinct from p_except::text;
  delete from auth.sessions where user_id = p_user and id is distinct from p_except;
$$;

revoke all on function private.studio_end_sessions(uuid, uuid) from public, anon, authenticated, service_role;

-- Turns a guest into an account with an address and a password. The user stays the same, and so does everything that
-- belongs to it. Gives 'kept', 'taken' when another account has the address, or 'no-guest'.
create function public.studio_keep_guest(p_user uuid, p_session uuid, p_email text, p_password text) returns text
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

-- Sets a password; false when there is no such account.
create function public.studio_set_password(p_user uuid, p_session uuid, p_password text) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  update auth.users
  set encrypted_password = p_password, recovery_token = null, recovery_sent_at = null, updated_at = now()
  where id = p_user;
  if not found then
    return false;
  end if;
  perform private.studio_end_sessions(p_user, p_session);
  return true;
end;
$$;

-- What a link that resets a password is bound to, so that it ends with that password; null for guests and where there is no
-- such account.
create function public.studio_password_mark(p_email text) returns text
language sql stable security definer set search_path = ''
as $$
  select encode(sha256(convert_to(id::text || encrypted_password, 'UTF8')), 'hex')
  from auth.users
  where email = lower(p_email) and email not like '%@guest.local' and encrypted_password is not null;
$$;

-- Sets a new password in place of the one that has this mark, and ends all sessions. Gives the account's id; null when the
-- password has changed since.
create function public.studio_reset_password(p_email text, p_mark text, p_password text) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  found_id uuid;
begin
  select id into found_id from auth.users where email = lower(p_email) for update;
  if found_id is null or public.studio_password_mark(p_email) is distinct from p_mark then
    return null;
  end if;
  perform public.studio_set_password(found_id, null, p_password);
  return found_id;
end;
$$;

revoke all on function public.studio_keep_guest(uuid, uuid, text, text) from public, anon, authenticated;
grant execute on function public.studio_keep_guest(uuid, uuid, text, text) to service_role;
revoke all on function public.studio_set_password(uuid, uuid, text) from public, anon, authenticated;
grant execute on function public.studio_set_password(uuid, uuid, text) to service_role;
revoke all on function public.studio_password_mark(text) from public, anon, authenticated;
grant execute on function public.studio_password_mark(text) to service_role;
revoke all on function public.studio_reset_password(text, text, text) from public, anon, authenticated;
grant execute on function public.studio_reset_password(text, text, text) to service_role;
