-- Arguments: what a row counts as ('rows', 'events', 'documents' or 'words'), its bytes, its upload. Counts nothing while an
-- account is deleted: of that account it is of no use, and costs more than deleting does.
create or replace function private.studio_count_usage() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  counts constant text := tg_argv[0];
  source text;
  change record;
  moves_on boolean := false;
begin
  if current_setting('studio.deletes_account', true) = 'yes' then
    return null;
  end if;
  if tg_op <> 'DELETE' then
    source := private.studio_usage_query('added', 1, tg_argv[1], tg_argv[2]);
  end if;
  if tg_op <> 'INSERT' then
    source := concat_ws(' union all ', source, private.studio_usage_query('removed', -1, tg_argv[1], tg_argv[2]));
  end if;
  if tg_op = 'UPDATE' and tg_table_name = 'studio_runs' then
    execute 'select not exists (select from added where added.source = ''editor'')' into moves_on;
  elsif tg_op = 'UPDATE' then
    moves_on := tg_table_name in ('studio_run_waits', 'studio_triggers', 'studio_publications');
  end if;
  if moves_on then
    perform set_config('studio.moves_on', 'yes', true);
  end if;
  for change in execute format(
    'select owner, sum(items)::bigint as items, sum(bytes)::bigint as bytes, sum(uploads)::bigint as uploads
     from (%s) as one group by owner', source)
  loop
    continue when change.items = 0 and change.bytes = 0 and change.uploads = 0;
    perform private.studio_add_usage(
      change.owner,
      case when counts in ('rows', 'documents') then change.items else 0 end,
      change.bytes,
      case when counts = 'events' then change.items else 0 end,
      case when counts = 'documents' then change.items else 0 end,
      change.uploads);
  end loop;
  if moves_on then
    perform set_config('studio.moves_on', '', true);
  end if;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_count_usage()');
