-- One part of the second step, for about p_ms milliseconds: of p_user, or of whoever has waited longest. Gives whether that account is
-- gone now; null when there is none, or another process is at it.
create or replace function private.studio_delete_part(p_ms integer, p_user uuid default null) returns boolean
language plpgsql security definer set search_path = ''
-- The planner's figures are old where most rows have just gone, and would have it gather all rows of an owner for the first few.
-- Where a scan is only discouraged its cost looks immense, and Postgres would compile each statement first.
set enable_bitmapscan = off set enable_seqscan = off set jit = off
as $$
declare
  ends constant timestamptz := clock_timestamp() + make_interval(secs => p_ms / 1000.0);
  chosen uuid;
  somebody constant text := 'visitor ' || gen_random_uuid();
  left_over jsonb;
  deleted integer;
  -- Rows at a time: few at first, since some are large.
  most integer := 50;
  began timestamptz;
begin
  select deletions.owner, deletions.steps into chosen, left_over from private.studio_deletions as deletions
  where p_user is null or deletions.owner = p_user
  order by deletions.asked_at limit 1 for update skip locked;
  if chosen is null then
    return null;
  end if;
  perform set_config('studio.deletes_account', 'yes', true);
  while jsonb_array_length(left_over) > 0 loop
    deleted := 0;
    began := clock_timestamp();
    if to_regclass(left_over #>> '{0,name}') is not null then
      execute format(
        'delete from %1$s where ctid = any (array(select own.ctid from %1$s as own where %2$s limit %3$s))',
        left_over #>> '{0,name}', left_over #>> '{0,condition}', most) using chosen;
      get diagnostics deleted = row_count;
    end if;
    if deleted < most then
      left_over := left_over - 0;
      most := 50;
    elsif clock_timestamp() < began + (ends - began) / 4 then
      most := most * 2;
    end if;
    if clock_timestamp() >= ends then
      update private.studio_deletions as own set steps = left_over where own.owner = chosen;
      perform set_config('studio.deletes_account', '', true);
      return false;
    end if;
  end loop;
  -- What it has asked chat pages of others stays in their history, of nobody known.
  update public.studio_chat_threads as threads set subject = somebody
  where threads.subject = 'account ' || chosen and threads.subject like 'account %';
  update public.studio_runs as runs set subject = somebody
  where runs.subject = 'account ' || chosen and runs.subject like 'account %';
  -- Whatever came in meanwhile goes with the user.
  delete from auth.flow_state where user_id = chosen;
  begin
    delete from auth.audit_log_entries as entries where entries.payload::text like '%' || chosen || '%';
  exception when insufficient_privilege then
    raise notice 'The log of the auth server is the project''s own.';
  end;
  delete from auth.users where id = chosen;
  perform set_config('studio.deletes_account', '', true);
  return true;
end;
$$;

select private.studio_grant_calls('private.studio_delete_part(integer, uuid)');
