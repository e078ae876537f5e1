-- Keeps the events of runs in partitions, one for each month in which runs were added: makes those of this month and the next, and
-- drops one that is over once nobody keeps a run of it, one at a time. Whether it did anything. Where others are in its way
-- for a tenth of a second, it is left for another time. What fails here keeps nobody's retention from its work.
create or replace function private.studio_arrange_run_events() returns boolean
language plpgsql security definer set search_path = '' set datestyle = 'ISO' set lock_timeout = '100ms'
as $$
declare
  part record;
  done boolean := false;
begin
  if not pg_try_advisory_xact_lock(7423006) then
    return false;
  end if;
  done := private.studio_add_events_month(now());
  done := private.studio_add_events_month(date_trunc('month', now()) + interval '1 month 1 day') or done;
  if done then
    return true;
  end if;
  for part in
    select bounds.part, coalesce(bounds.from_text::timestamptz, '-infinity') as starts, bounds.to_text::timestamptz as ends
    from (
      select inherits.inhrelid::regclass as part,
        (regexp_match(pg_get_expr(classes.relpartbound, classes.oid), 'FROM \(''([^'']+)''\)'))[1] as from_text,
        (regexp_match(pg_get_expr(classes.relpartbound, classes.oid), 'TO \(''([^'']+)''\)'))[1] as to_text
      from pg_catalog.pg_inherits as inherits
      join pg_catalog.pg_class as classes on classes.oid = inherits.inhrelid
      where inherits.inhparent = 'public.studio_run_events'::regclass
    ) as bounds
    where bounds.to_text::timestamptz <= now()
    order by 3
  loop
    done := private.studio_drop_events_part(part.part, part.starts, part.ends);
    exit when done;
  end loop;
  return done;
exception
  when lock_not_available or deadlock_detected then
    return false;
  when others then
    raise warning 'The partitions of events could not be arranged: %', sqlerrm;
    return false;
end;
$$;

select private.studio_grant_calls('private.studio_arrange_run_events()');
