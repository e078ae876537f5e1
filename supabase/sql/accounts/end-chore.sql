-- Says that a chore was done for an owner after it had failed.
create or replace function private.studio_end_chore(p_chore text, p_owner uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.studio_chore_problems as problems where problems.owner = p_owner and problems.chore = p_chore;
$$;

select private.studio_grant_calls('private.studio_end_chore(text, uuid)', 'studio_worker');
