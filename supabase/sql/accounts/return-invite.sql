-- Gives back an invite whose sign-up did not succeed.
create or replace function public.studio_return_invite(p_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.studio_used_invites where id = p_id;
$$;

select private.studio_grant_calls('public.studio_return_invite(uuid)', 'service_role');
