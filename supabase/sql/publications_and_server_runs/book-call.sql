-- Settles what a run has spent (p_spent) and what it has under way (p_booked), both since its beginning, and books one more
-- call: at least p_min, at most p_max, null for none. Gives { state }: 'fenced'; 'free', no limit applies; 'ok' with `usd`, what
-- was booked; 'busy', there is room once calls under way are settled; 'full' with `cap` and `capUsd`. Bookings of one workflow,
-- and of one key, come one after the other.
create or replace function private.studio_book_call(
  p_run_id uuid, p_attempt integer, p_spent numeric, p_booked numeric, p_min numeric, p_max numeric
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  run record;
  tightest record;
  usd numeric := 0;
  -- Dollars are sums of rounded numbers.
  room constant numeric := 0.000000001;
begin
  select runs.workflow_id, runs.api_key_id into run from public.studio_runs as runs where runs.id = p_run_id;
  if not found then
    return jsonb_build_object('state', 'fenced');
  end if;
  perform pg_advisory_xact_lock(hashtextextended('spending ' || run.workflow_id::text, 0));
  if run.api_key_id is not null then
    perform pg_advisory_xact_lock(hashtextextended('spending ' || run.api_key_id::text, 0));
  end if;
  perform 1 from public.studio_runs as runs
  where runs.id = p_run_id and runs.attempt = p_attempt and runs.status = 'running' and runs.source <> 'editor'
  for update;
  if not found then
    return jsonb_build_object('state', 'fenced');
  end if;
  perform private.studio_book_spending(p_run_id, p_spent);
  update private.studio_booked_calls as booked set usd = p_booked where booked.run_id = p_run_id and booked.usd <> p_booked;
  if p_max is not null then
    select * into tightest from private.studio_money_left(p_run_id, p_spent, p_booked) as caps order by caps.left_usd limit 1;
    if not found then
      return jsonb_build_object('state', 'free');
    end if;
    if tightest.left_usd + room < p_min then
      if (select min(caps.unspent_usd) from private.studio_money_left(p_run_id, p_spent, p_booked) as caps) + room >= p_min then
        return jsonb_build_object('state', 'busy');
      end if;
      select * into tightest from private.studio_money_left(p_run_id, p_spent, p_booked) as caps
      order by caps.unspent_usd limit 1;
      return jsonb_build_object('state', 'full', 'cap', tightest.cap, 'capUsd', tightest.cap_usd);
    end if;
    usd := greatest(p_min, least(p_max, tightest.left_usd));
  end if;
  if usd > 0 then
    insert into private.studio_booked_calls as booked (run_id, workflow_id, api_key_id, usd)
    values (p_run_id, run.workflow_id, run.api_key_id, p_booked + usd)
    on conflict (run_id) do update set usd = excluded.usd;
  end if;
  return jsonb_build_object('state', 'ok', 'usd', usd);
end;
$$;

select private.studio_grant_calls('private.studio_book_call(uuid, integer, numeric, numeric, numeric, numeric)', 'studio_worker');
