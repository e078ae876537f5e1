-- Sets a new password in place of the one that has this mark, and ends all sessions. Gives the account's id; null when the
-- password has changed since.
create or replace function public.studio_reset_password(p_email text, p_mark text, p_password text) returns uuid
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

select private.studio_grant_calls('public.studio_reset_password(text, text, text)', 'service_role');
