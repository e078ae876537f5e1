-- Takes the notice of an owner that has been due longest, and gives its id; null when none is. It comes due again soon, unless
-- somebody says what became of it.
create or replace function private.studio_claim_notice(p_worker text, p_owner uuid) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  claimed uuid;
begin
  perform private.studio_limit_waiting();
  update private.studio_notices as due set
    attempts = due.attempts + 1, next_at = now() + interval '2 minutes', worker = p_worker
  where due.id = (
    select first.id from private.studio_notices as first where first.owner = p_owner and first.next_at <= now()
    order by first.next_at limit 1 for update skip locked
  )
  returning due.id into claimed;
  return claimed;
end;
$$;

select private.studio_grant_calls('private.studio_claim_notice(text, uuid)', 'studio_worker');
