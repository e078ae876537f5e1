-- How much one user may keep. What they have is counted as it is written, by triggers, so that no write counts the rows that
-- are there. The service role sets the limits; everybody can see their own use.

create table private.studio_quotas (
  kind text primary key check (kind in ('rows', 'bytes', 'events', 'documents', 'uploads')),
  most bigint not null check (most >= 0)
);

insert into private.studio_quotas (kind, most) values
  ('rows', 250000), ('bytes', 2000000000), ('events', 2000000), ('documents', 20000), ('uploads', 1000000000);

create table private.studio_usage (
  owner uuid primary key references auth.users (id) on delete cascade,
  -- All but events of runs and words of collections.
  rows bigint not null default 0,
  -- Of texts, JSON and vectors as they were given, before compression, and 64 for each row.
  bytes bigint not null default 0,
  events bigint not null default 0,
  documents bigint not null default 0,
  -- Bytes of uploaded documents.
  uploads bigint not null default 0
);

alter table private.studio_quotas enable row level security;
alter table private.studio_usage enable row level security;
revoke all on table private.studio_quotas from public, anon, authenticated, service_role;
revoke all on table private.studio_usage from public, anon, authenticated, service_role;

-- Adds to what a user has. Raises "quota_exceeded <kind> <used> <most>" when something grows beyond its limit.
create function private.studio_add_usage(
  p_owner uuid, p_rows bigint, p_bytes bigint, p_events bigint, p_documents bigint, p_uploads bigint
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  total private.studio_usage%rowtype;
  over record;
begin
  update private.studio_usage as usage set
    rows = greatest(0, usage.rows + p_rows),
    bytes = greatest(0, usage.bytes + p_bytes),
    events = greatest(0, usage.events + p_events),
    documents = greatest(0, usage.documents + p_documents),
    uploads = greatest(0, usage.uploads + p_uploads)
  where usage.owner = p_owner
  returning * into total;
  if not found then
    -- Of an account that is being deleted nothing is counted any more.
    if p_bytes <= 0 then
      return;
    end if;
    insert into private.studio_usage as usage (owner, rows, bytes, events, documents, uploads)
    values (p_owner, p_rows, p_bytes, p_events, p_documents, p_uploads)
    on conflict (owner) do update set
      rows = usage.rows + excluded.rows,
      bytes = usage.bytes + excluded.bytes,
      events = usage.events + excluded.events,
      documents = usage.documents + excluded.documents,
      uploads = usage.uploads + excluded.uploads
    returning * into total;
  end if;
  if greatest(p_rows, p_bytes, p_events, p_documents, p_uploads) <= 0 then
    return;
  end if;
  select grown.kind, grown.used, quotas.most into over
  from (values
    ('rows', p_rows, total.rows), ('bytes', p_bytes, total.bytes), ('events', p_events, total.events),
    ('documents', p_documents, total.documents), ('uploads', p_uploads, total.uploads)
  ) as grown (kind, growth, used)
  join private.studio_quotas as quotas on quotas.kind = grown.kind
  where grown.growth > 0 and grown.used > quotas.most
  limit 1;
  if found then
    raise exception 'quota_exceeded % % %', over.kind, over.used, over.most;
  end if;
end;
$$;

-- Of one row as `item`: what its bytes and its upload come to, as expressions of the trigger's arguments.
create function private.studio_usage_query(p_from text, p_sign integer, p_bytes text, p_uploads text) returns text
language sql immutable set search_path = ''
as $$
  select format(
    'select item.owner, %1$s::bigint as items, %1$s * (64 + coalesce(%3$s, 0))::bigint as bytes,
       %1$s * coalesce(%4$s, 0)::bigint as uploads from %2$I as item',
    p_sign, p_from, p_bytes, p_uploads);
$$;

-- Arguments: what a row counts as ('rows', 'events', 'documents' or 'words'), its bytes, its upload.
create function private.studio_count_usage() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  counts constant text := tg_argv[0];
  source text;
  change record;
begin
  if tg_op <> 'DELETE' then
    source := private.studio_usage_query('added', 1, tg_argv[1], tg_argv[2]);
  end if;
  if tg_op <> 'INSERT' then
    source := concat_ws(' union all ', source, private.studio_usage_query('removed', -1, tg_argv[1], tg_argv[2]));
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
  return null;
end;
$$;

-- Counts a table from now on. Every table with an owner needs it, and is counted for what it has already.
create function private.studio_count_table(p_table regclass, p_counts text, p_bytes text, p_uploads text default '0')
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

revoke all on function private.studio_add_usage(uuid, bigint, bigint, bigint, bigint, bigint)
  from public, anon, authenticated, service_role;
revoke all on function private.studio_usage_query(text, integer, text, text)
  from public, anon, authenticated, service_role;
revoke all on function private.studio_count_usage() from public, anon, authenticated, service_role;
revoke all on function private.studio_count_table(regclass, text, text, text)
  from public, anon, authenticated, service_role;

select private.studio_count_table('public.studio_workflows', 'rows', 'octet_length(item.document::text)');
select private.studio_count_table('public.studio_workflow_versions', 'rows', 'octet_length(item.document::text)');
select private.studio_count_table('public.studio_runs', 'rows',
  'coalesce(octet_length(item.input::text), 0) + coalesce(octet_length(item.output::text), 0)
   + coalesce(octet_length(item.error::text), 0) + coalesce(octet_length(item.document::text), 0)
   + coalesce(octet_length(item.usage::text), 0)');
select private.studio_count_table('public.studio_run_events', 'events', 'octet_length(item.event::text)');
select private.studio_count_table('public.studio_agent_memory', 'rows',
  'octet_length(item.content) + octet_length(item.message::text)');
select private.studio_count_table('public.studio_memory_vectors', 'rows', '4 * extensions.vector_dims(item.embedding)');
select private.studio_count_table('public.studio_settings', 'rows', 'octet_length(item.value::text)');
select private.studio_count_table('public.studio_credentials', 'rows', 'octet_length(item.settings::text)');
select private.studio_count_table('public.studio_knowledge_collections', 'rows', 'octet_length(item.description)');
select private.studio_count_table('public.studio_knowledge_documents', 'documents',
  'octet_length(item.sections::text)', 'greatest(item.size, octet_length(item.sections::text))');
select private.studio_count_table('public.studio_knowledge_chunks', 'rows',
  'octet_length(item.content) + octet_length(item.metadata::text)
   + coalesce(4 * extensions.vector_dims(item.embedding), 0)');
select private.studio_count_table('public.studio_knowledge_words', 'words', 'octet_length(item.word)');

-- What the caller has, and may have.
create function public.studio_storage() returns table (kind text, used bigint, most bigint)
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  return query
    select quotas.kind,
      coalesce(case quotas.kind
        when 'rows' then usage.rows when 'bytes' then usage.bytes when 'events' then usage.events
        when 'documents' then usage.documents when 'uploads' then usage.uploads end, 0),
      quotas.most
    from private.studio_quotas as quotas left join private.studio_usage as usage on usage.owner = caller
    order by quotas.kind;
end;
$$;

-- Sets a limit for every user; only the service role may.
create function public.studio_set_quota(p_kind text, p_most bigint) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.studio_quotas (kind, most) values (p_kind, p_most)
  on conflict (kind) do update set most = excluded.most;
$$;

-- Deletes for good what the caller has deleted, which until then can be brought back and takes up room.
create function public.studio_purge_deleted() returns integer
language plpgsql security invoker set search_path = ''
as $$
declare
  counted integer;
  purged integer := 0;
begin
  delete from public.studio_workflows where owner = (select auth.uid()) and deleted_at is not null;
  get diagnostics counted = row_count;
  purged := purged + counted;
  delete from public.studio_knowledge_documents where owner = (select auth.uid()) and deleted_at is not null;
  get diagnostics counted = row_count;
  purged := purged + counted;
  delete from public.studio_knowledge_collections where owner = (select auth.uid()) and deleted_at is not null;
  get diagnostics counted = row_count;
  return purged + counted;
end;
$$;

revoke all on function public.studio_storage() from public, anon, authenticated;
grant execute on function public.studio_storage() to authenticated, service_role;
revoke all on function public.studio_set_quota(text, bigint) from public, anon, authenticated;
grant execute on function public.studio_set_quota(text, bigint) to service_role;
revoke all on function public.studio_purge_deleted() from public, anon, authenticated;
grant execute on function public.studio_purge_deleted() to authenticated, service_role;
