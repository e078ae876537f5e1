-- Frees a place; freeing it twice, or after its time, does nothing.
create or replace function public.studio_leave_slot(p_slot uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.studio_slots where id = p_slot;
$$;

select private.studio_grant_calls('public.studio_leave_slot(uuid)', 'service_role');
