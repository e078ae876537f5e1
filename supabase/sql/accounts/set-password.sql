-- Sets a password; false when there is no such account.
create or replace function public.studio_set_password(p_user uuid, p_session uuid, p_password text) returns boolean
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

select private.studio_grant_calls('public.studio_set_password(uuid, uuid, text)', 'service_role');
