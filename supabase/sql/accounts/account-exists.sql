create or replace function public.studio_account_exists(p_email text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from auth.users where email = lower(p_email));
$$;

select private.studio_grant_calls('public.studio_account_exists(text)', 'service_role');
