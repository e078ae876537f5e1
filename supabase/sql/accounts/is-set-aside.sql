-- Whether a chore is not done for an owner for now. Nothing that reaches beyond the studio is done while it pauses.
create or replace function private.studio_is_set_aside(p_chore text, p_owner uuid) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from private.studio_chore_problems as problems
    where problems.owner = p_owner and (problems.chore = p_chore or problems.too_long) and problems.next_at > now()
  ) or (
    p_chore in ('schedules', 'waits', 'lost-runs', 'claims', 'queue', 'notices', 'traces', 'sources')
    and exists (select from private.studio_pause)
  );
$$;

select private.studio_grant_calls('private.studio_is_set_aside(text, uuid)');
