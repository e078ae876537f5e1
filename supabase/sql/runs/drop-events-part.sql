-- Drops a partition of the events of runs and takes what it held off its owners' usage, if none of them keeps a run whose events lie
-- there. Whether it is gone. Runs that nobody keeps any longer are deleted as ever, by the retention of their owners; while they
-- have very many events these go with them, row by row.
create or replace function private.studio_drop_events_part(p_part regclass, p_from timestamptz, p_to timestamptz) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  is_kept boolean;
  held record;
begin
  select exists (
    select from public.studio_runs as runs
    left join public.studio_settings as settings on settings.owner = runs.owner and settings.name = 'run-retention'
    where runs.added_at >= p_from and runs.added_at < p_to and (
      runs.status in ('queued', 'waiting')
      or (runs.status = 'running' and runs.updated_at >= now() - interval '1 day')
      or (settings.owner is not null and settings.value ->> 'keepDays' is null)
      or runs.updated_at >= now() - make_interval(days => coalesce(floor((settings.value ->> 'keepDays')::numeric)::integer, 90))
    )
  ) into is_kept;
  if is_kept then
    return false;
  end if;
  execute format('select count(*) > 100000 from (select from %s limit 100001) as few', p_part) into is_kept;
  if is_kept then
    return false;
  end if;
  execute format('lock table %s in share mode', p_part);
  for held in execute format(
    'select part.owner, count(*) as events, sum(64 + octet_length(part.event::text))::bigint as bytes
     from %s as part group by part.owner', p_part)
  loop
    perform private.studio_add_usage(held.owner, 0, -held.bytes, -held.events, 0, 0);
  end loop;
  execute format('drop table %s', p_part);
  return true;
end;
$$;

select private.studio_grant_calls('private.studio_drop_events_part(regclass, timestamptz, timestamptz)');
