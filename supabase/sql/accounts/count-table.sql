-- Counts a table from now on. Every table with an owner needs it, and is counted for what it has already.
create or replace function private.studio_count_table(p_table regclass, p_counts text, p_bytes text, p_uploads text default '0')
returns void
language plpgsql security definer set search_path = ''
as $$
declare
  tables text;
  event text;
begin
  foreach event in array array['insert', 'update', 'delete'] loop
    tables := case event
      when 'insert' then 'new table as added'
      when 'update' then 'old table as removed new table as added'
      else 'old table as removed' end;
    execute format(
      'create trigger studio_usage_%s after %1$s on %s referencing %s for each statement
       execute function private.studio_count_usage(%L, %L, %L)',
      event, p_table, tables, p_counts, p_bytes, p_uploads);
  end loop;
  execute format(
    'insert into private.studio_usage as usage (owner, rows, bytes, events, documents, uploads)
     select item.owner, count(*) filter (where %1$L in (''rows'', ''documents'')),
       sum(64 + coalesce(%2$s, 0))::bigint, count(*) filter (where %1$L = ''events''),
       count(*) filter (where %1$L = ''documents''), sum(coalesce(%3$s, 0))::bigint
     from %4$s as item group by item.owner
     on conflict (owner) do update set
       rows = usage.rows + excluded.rows, bytes = usage.bytes + excluded.bytes,
       events = usage.events + excluded.events, documents = usage.documents + excluded.documents,
       uploads = usage.uploads + excluded.uploads',
    p_counts, p_bytes, p_uploads, p_table);
end;
$$;

select private.studio_grant_calls('private.studio_count_table(regclass, text, text, text)');
