-- Looks at the queues that are due to be looked at, of p_owner or of anybody, 20 owners at most. One whose queue cannot be read is
-- set aside.
create or replace function private.studio_check_queue(p_owner uuid default null) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  due uuid;
  tried uuid[] := '{}';
begin
  for _ in 1..20 loop
    select checks.owner into due from private.studio_queue_checks as checks
    where checks.at <= now() and (p_owner is null or checks.owner = p_owner) and checks.owner <> all (tried)
      and not private.studio_is_set_aside('claims', checks.owner)
    order by checks.at
    limit 1
    for update skip locked;
    exit when not found;
    tried := tried || due;
    -- Somebody else is at it.
    continue when not pg_try_advisory_xact_lock(7423004, hashtext(due::text));
    begin
      delete from private.studio_queue_checks as checks where checks.id in (
        select known.id from private.studio_queue_checks as known where known.owner = due and known.at <= now()
        for update skip locked);
      perform private.studio_admit_runs(due, null);
    exception when others then
      -- Whoever names the owner notes it himself.
      if p_owner is not null then
        raise;
      end if;
      perform private.studio_note_chore('claims', due, sqlstate, sqlerrm);
    end;
  end loop;
end;
$$;

select private.studio_grant_calls('private.studio_check_queue(uuid)');
