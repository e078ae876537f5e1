-- Stores why a chore could not be done for an owner, sets it aside for him, longer with each failure in a row, and tells him once.
create or replace function private.studio_note_chore(p_chore text, p_owner uuid, p_code text, p_message text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  reason constant text := private.studio_reason(p_code, p_message);
  noted private.studio_chore_problems%rowtype;
  before bigint;
  later timestamptz;
begin
  perform set_config('lock_timeout', '1s', true);
  if not exists (select from auth.users as users where users.id = p_owner) then
    return;
  end if;
  select coalesce(sum(problems.failures), 0) into before from private.studio_chore_problems as problems
  where problems.owner = p_owner and (problems.chore = p_chore or (problems.too_long and p_code = '57014'));
  later := now() + least(
    case when p_code = '57014' then interval '1 minute' else interval '15 seconds' end * (2 ^ least(before, 10)),
    interval '15 minutes');
  insert into private.studio_chore_problems as problems (owner, chore, problem, next_at, too_long)
  values (p_owner, p_chore, reason, later, p_code is not distinct from '57014')
  on conflict (owner, chore) do update set
    problem = excluded.problem, failures = problems.failures + 1, last_at = now(), next_at = later,
    too_long = excluded.too_long
  returning * into noted;
  if noted.failures > 1 or exists (select from private.studio_deletions as deletions where deletions.owner = p_owner) then
    return;
  end if;
  perform private.studio_tell_owner(
    p_owner, 'chore ' || p_chore || ' ' || extract(epoch from noted.since)::bigint,
    jsonb_build_object('kind', 'chore-failed', 'chore', p_chore, 'message', reason));
exception when others then
  raise warning 'A problem was not noted: %', sqlerrm;
end;
$$;

select private.studio_grant_calls('private.studio_note_chore(text, uuid, text, text)', 'studio_worker');
