-- What a link that resets a password is bound to, so that it ends with that password; null for guests and where there is no
-- such account.
create or replace function public.studio_password_mark(p_email text) returns text
language sql stable security definer set search_path = ''
as $$
  select encode(sha256(convert_to(id::text || encrypted_password, 'UTF8')), 'hex')
  from auth.users
  where email = lower(p_email) and email not like '%@guest.local' and encrypted_password is not null;
$$;

select private.studio_grant_calls('public.studio_password_mark(text)', 'service_role');
