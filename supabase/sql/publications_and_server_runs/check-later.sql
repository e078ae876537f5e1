-- Has an owner's queue looked at again at p_at, by whichever worker looks for a run next. One look at a later time is enough; one
-- that is due may be under way, and know nothing of what has just changed.
create or replace function private.studio_check_later(p_owner uuid, p_at timestamptz) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.studio_queue_checks (owner, at)
  select p_owner, p_at
  where p_at <= now() or not exists (
    select from private.studio_queue_checks as known
    where known.owner = p_owner and known.at > now() and known.at <= p_at);
$$;

select private.studio_grant_calls('private.studio_check_later(uuid, timestamp with time zone)', 'studio_worker');
