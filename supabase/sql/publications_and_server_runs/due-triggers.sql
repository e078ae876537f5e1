-- The triggers of an owner that are due or whose next time is not known yet.
create or replace function private.studio_due_triggers(p_owner uuid, p_limit integer) returns setof public.studio_triggers
language sql stable security definer set search_path = ''
as $$
  select triggers.* from public.studio_triggers as triggers
  where triggers.owner = p_owner and triggers.enabled and triggers.problem is null
    and (triggers.next_at is null or triggers.next_at <= now())
  order by triggers.next_at nulls first
  limit p_limit;
$$;

select private.studio_grant_calls('private.studio_due_triggers(uuid, integer)', 'studio_worker');
