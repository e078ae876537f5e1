-- Stores the events of the caller's run that are not stored yet; p_events: as they are in their log. p_end, for the last of
-- them: { status, output, error, total_tokens, cost_usd, ended_at, ending?, usage? } as the columns of public.studio_runs; the
-- last two stay as they are where they are missing. All or nothing.
create or replace function public.studio_record_run(p_run_id uuid, p_events jsonb, p_end jsonb default null) returns void
language plpgsql security invoker set search_path = ''
as $$
declare
  added_at constant timestamptz := (select runs.added_at from public.studio_runs as runs where runs.id = p_run_id);
begin
  insert into public.studio_run_events (run_id, run_added_at, seq, at, type, event)
  select p_run_id, added_at, (given.event ->> 'seq')::integer, to_timestamp((given.event ->> 'at')::double precision / 1000),
    given.event ->> 'type', given.event
  from jsonb_array_elements(p_events) as given (event)
  on conflict (run_id, seq, run_added_at) do nothing;
  if p_end is not null then
    update public.studio_runs as runs set
      status = p_end ->> 'status',
      output = nullif(p_end -> 'output', 'null'),
      error = nullif(p_end -> 'error', 'null'),
      ending = coalesce(p_end -> 'ending', runs.ending),
      total_tokens = (p_end ->> 'total_tokens')::integer,
      cost_usd = (p_end ->> 'cost_usd')::numeric,
      ended_at = (p_end ->> 'ended_at')::timestamptz,
      usage = coalesce(p_end -> 'usage', runs.usage)
    where runs.id = p_run_id;
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_record_run(uuid, jsonb, jsonb)', 'authenticated', 'service_role');
