-- What every other subject stands on: settings, limits, quotas, and how an account is deleted.
--
-- Functions name tables and functions that come later, so their bodies are not checked here.
set check_function_bodies = off;

create schema if not exists extensions;
create extension if not exists vector with schema extensions;
create extension if not exists pg_trgm with schema extensions;
create extension if not exists btree_gin with schema extensions;

-- Roles ------------------------------------------------------------------------------------------------

-- How long a statement of one role may keep the others waiting. On a real Postgres it is cancelled then (57014); the embedded
-- one runs one statement at a time and cannot be interrupted, so there its process is ended by the studio instead.
-- A project whose owner may not change these roles keeps the times that it has: hosted projects have these by default.
do $$
declare
  wanted record;
begin
  for wanted in select * from (values ('anon', '3s'), ('authenticated', '8s')) as roles (name, timeout) loop
    begin
      execute format('alter role %I set statement_timeout = %L', wanted.name, wanted.timeout);
    exception
      when insufficient_privilege or undefined_object then
        raise notice 'The role % keeps its own statement_timeout.', wanted.name;
    end;
  end loop;
end
$$;

-- A role for workers on other machines: it can do what workers do, and nothing else. An operator gives it a password.
do $$
begin
  if not exists (select from pg_roles where rolname = 'studio_worker') then
    create role studio_worker nologin noinherit;
  end if;
end;
$$;
grant usage on schema private to studio_worker;

-- A statement of a worker that takes longer than this is the trouble of one owner.
do $$
begin
  alter role studio_worker set statement_timeout = '10s';
exception when insufficient_privilege then
  raise notice 'The role studio_worker keeps its own statement_timeout.';
end;
$$;

create table private.studio_rate_limits (
  owner uuid not null references auth.users (id) on delete cascade,
  bucket text not null check (char_length(bucket) between 1 and 100),
  window_start timestamptz not null default now(),
  used integer not null default 1,
  primary key (owner, bucket)
);

select private.studio_grant_rows('private.studio_rate_limits');

create table private.studio_slots (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null references auth.users (id) on delete cascade,
  bucket text not null check (char_length(bucket) between 1 and 100),
  expires_at timestamptz not null
);

create index studio_slots_of_owner on private.studio_slots (owner, bucket, expires_at);

select private.studio_grant_rows('private.studio_slots');

-- What a user chose for all their work, one row a setting. "run-retention": { keepDays, keepRuns }, null for no limit.
create table public.studio_settings (
  owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 100),
  value jsonb not null check (octet_length(value::text) <= 65536),
  primary key (owner, name),
  constraint studio_settings_run_retention check (
    name <> 'run-retention'
    or (
      value ?& array['keepDays', 'keepRuns']
      and coalesce((value ->> 'keepDays')::numeric between 1 and 3650, true)
      and coalesce((value ->> 'keepRuns')::numeric between 1 and 1000000, true)
    )
  ),
  constraint studio_settings_conversation_retention check (
    name <> 'conversation-retention'
    or (value ? 'keepDays' and coalesce((value ->> 'keepDays')::numeric between 1 and 3650, true))
  )
);

select private.studio_grant_rows('public.studio_settings', 'select, insert, delete', 'name, value');

create table private.studio_used_invites (
  id uuid primary key,
  -- From then on the invite is refused by its own date.
  expires_at timestamptz not null
);

select private.studio_grant_rows('private.studio_used_invites');

create table private.studio_quotas (
  kind text primary key check (kind in ('rows', 'bytes', 'events', 'documents', 'uploads')),
  most bigint not null check (most >= 0)
);

select private.studio_grant_rows('private.studio_quotas');

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

select private.studio_grant_rows('private.studio_usage');

-- Accounts that are being deleted. A row goes with its user.
create table private.studio_deletions (
  owner uuid primary key references auth.users (id) on delete cascade,
  asked_at timestamptz not null default now(),
  -- The tables that are still to be gone through, as studio_owned_tables() gives them: [{ name, condition }].
  steps jsonb not null
);

select private.studio_grant_rows('private.studio_deletions');

create table private.studio_chore_problems (
  owner uuid not null references auth.users (id) on delete cascade,
  chore text not null check (char_length(chore) between 1 and 50),
  -- Why, in words.
  problem text not null check (char_length(problem) <= 1000),
  failures integer not null default 1,
  since timestamptz not null default now(),
  last_at timestamptz not null default now(),
  -- The owner's turn does not come before this time.
  next_at timestamptz not null,
  -- A statement took too long, which costs everybody time: no chore is done for the owner before next_at.
  too_long boolean not null default false,
  primary key (owner, chore)
);

select private.studio_grant_rows('private.studio_chore_problems');

create or replace function public.studio_touch_updated_at() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end;
$$;

select private.studio_grant_calls('public.studio_touch_updated_at()', 'service_role');

-- Counts one call. Returns 0 when it is allowed, otherwise the seconds until the minute that began with
-- the first call is over. A refused call is not counted.
create or replace function public.studio_take_rate_limit(p_owner uuid, p_bucket text, p_per_minute integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  moment constant timestamptz := clock_timestamp();
  started timestamptz;
begin
  if p_per_minute < 1 then
    return 60;
  end if;

  insert into private.studio_rate_limits as counter (owner, bucket, window_start, used)
  values (p_owner, p_bucket, moment, 1)
  on conflict (owner, bucket) do update set
    window_start =
      case when counter.window_start <= moment - interval '1 minute' then moment else counter.window_start end,
    used = case when counter.window_start <= moment - interval '1 minute' then 1 else counter.used + 1 end
  where counter.window_start <= moment - interval '1 minute' or counter.used < p_per_minute
  returning counter.window_start into started;

  if started is not null then
    return 0;
  end if;

  select counter.window_start into started
  from private.studio_rate_limits as counter
  where counter.owner = p_owner and counter.bucket = p_bucket;
  return greatest(1, ceil(extract(epoch from started + interval '1 minute' - moment)))::integer;
end;
$$;

select private.studio_grant_calls('public.studio_take_rate_limit(uuid, text, integer)', 'service_role');

-- Takes one of p_max places for at most p_ttl_seconds. Returns the place, or null when all are taken.
-- The time limit frees the places of a function that died.
create or replace function public.studio_enter_slot(p_owner uuid, p_bucket text, p_max integer, p_ttl_seconds integer) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  moment constant timestamptz := clock_timestamp();
  taken integer;
  slot uuid;
begin
  -- One caller at a time counts the places of this owner and bucket.
  perform pg_advisory_xact_lock(hashtextextended(p_owner::text || '|' || p_bucket, 0));
  delete from private.studio_slots where owner = p_owner and bucket = p_bucket and expires_at <= moment;
  select count(*) into taken from private.studio_slots where owner = p_owner and bucket = p_bucket;
  if taken >= p_max then
    return null;
  end if;
  insert into private.studio_slots (owner, bucket, expires_at)
  values (p_owner, p_bucket, moment + make_interval(secs => p_ttl_seconds))
  returning id into slot;
  return slot;
end;
$$;

select private.studio_grant_calls('public.studio_enter_slot(uuid, text, integer, integer)', 'service_role');

-- Frees a place; freeing it twice, or after its time, does nothing.
create or replace function public.studio_leave_slot(p_slot uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.studio_slots where id = p_slot;
$$;

select private.studio_grant_calls('public.studio_leave_slot(uuid)', 'service_role');

-- Uses an invite up; false when it was used before.
create or replace function public.studio_take_invite(p_id uuid, p_expires_at timestamptz) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  taken integer;
begin
  delete from private.studio_used_invites where expires_at < now() - interval '1 day';
  insert into private.studio_used_invites (id, expires_at) values (p_id, p_expires_at) on conflict do nothing;
  get diagnostics taken = row_count;
  return taken = 1;
end;
$$;

select private.studio_grant_calls('public.studio_take_invite(uuid, timestamp with time zone)', 'service_role');

-- Gives back an invite whose sign-up did not succeed.
create or replace function public.studio_return_invite(p_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.studio_used_invites where id = p_id;
$$;

select private.studio_grant_calls('public.studio_return_invite(uuid)', 'service_role');

create or replace function public.studio_account_exists(p_email text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from auth.users where email = lower(p_email));
$$;

select private.studio_grant_calls('public.studio_account_exists(text)', 'service_role');

-- Adds to what a user has. Raises "quota_exceeded <kind> <used> <most>" when something grows beyond its limit, but while
-- studio.moves_on is 'yes'.
create or replace function private.studio_add_usage(
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
  if greatest(p_rows, p_bytes, p_events, p_documents, p_uploads) <= 0
    or current_setting('studio.moves_on', true) = 'yes' then
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

select private.studio_grant_calls('private.studio_add_usage(uuid, bigint, bigint, bigint, bigint, bigint)');

-- Of one row as `item`: what its bytes and its upload come to, as expressions of the trigger's arguments.
create or replace function private.studio_usage_query(p_from text, p_sign integer, p_bytes text, p_uploads text) returns text
language sql immutable set search_path = ''
as $$
  select format(
    'select item.owner, %1$s::bigint as items, %1$s * (64 + coalesce(%3$s, 0))::bigint as bytes,
       %1$s * coalesce(%4$s, 0)::bigint as uploads from %2$I as item',
    p_sign, p_from, p_bytes, p_uploads);
$$;

select private.studio_grant_calls('private.studio_usage_query(text, integer, text, text)');

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

-- What the caller has, and may have.
create or replace function public.studio_storage() returns table (kind text, used bigint, most bigint)
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

select private.studio_grant_calls('public.studio_storage()', 'authenticated', 'service_role');

-- Sets a limit for every user; only the service role may.
create or replace function public.studio_set_quota(p_kind text, p_most bigint) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.studio_quotas (kind, most) values (p_kind, p_most)
  on conflict (kind) do update set most = excluded.most;
$$;

select private.studio_grant_calls('public.studio_set_quota(text, bigint)', 'service_role');

-- Deletes for good what the caller has deleted, which until then can be brought back and takes up room.
create or replace function public.studio_purge_deleted() returns integer
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

select private.studio_grant_calls('public.studio_purge_deleted()', 'authenticated', 'service_role');

-- Names as they are searched: in small letters, without accents. Like the next one it has no search path of its own, which
-- would keep Postgres from putting its body in the place of the call; it names everything in full instead.
create or replace function public.studio_fold(p_text text) returns text
language sql immutable security invoker
as $$
  select case
    when pg_catalog.octet_length(p_text) = pg_catalog.char_length(p_text) then pg_catalog.lower(p_text)
    else pg_catalog.regexp_replace(
      pg_catalog.normalize(pg_catalog.lower(p_text), 'NFKD'), '[\u0300-\u036f]', '', 'g')
  end;
$$;

select private.studio_grant_calls('public.studio_fold(text)', 'authenticated', 'service_role');

-- Names as they are sorted: 2 before 10, whatever the database's own order of letters is. Numbers count to twelve digits.
create or replace function public.studio_sort_key(p_name text) returns text
language sql immutable security invoker
as $$
  select pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(public.studio_fold(p_name), '([0-9]+)', '00000000000\1', 'g'),
    '[0-9]*([0-9]{12})', '\1', 'g') collate "C";
$$;

select private.studio_grant_calls('public.studio_sort_key(text)', 'authenticated', 'service_role');

-- Patterns for LIKE, one for each word of a search.
create or replace function public.studio_search_patterns(p_search text) returns text[]
language sql immutable security invoker set search_path = ''
as $$
  select coalesce(array_agg('%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%'), '{}')
  from regexp_split_to_table(public.studio_fold(left(p_search, 200)), '\s+') as word
  where word <> '';
$$;

select private.studio_grant_calls('public.studio_search_patterns(text)', 'authenticated', 'service_role');

-- The accounts of this studio that are not being deleted, the oldest first: for commands of its operator, who holds the
-- service role's key.
create or replace function public.studio_accounts() returns table (id uuid, email text, created_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select users.id, users.email::text, users.created_at from auth.users as users
  where not exists (select from private.studio_deletions as deletions where deletions.owner = users.id)
  order by users.created_at, users.id;
$$;

select private.studio_grant_calls('public.studio_accounts()', 'service_role');

create or replace function private.studio_end_sessions(p_user uuid, p_except uuid) returns void
language sql volatile set search_path = ''
as $$
  delete from auth.refresh_tokens
  where user_id::text = p_user::text and session_id::text is distinct from p_except::text;
  delete from auth.sessions where user_id = p_user and id is distinct from p_except;
$$;

select private.studio_grant_calls('private.studio_end_sessions(uuid, uuid)');

-- Turns a guest into an account with an address and a password. The user stays the same, and so does everything that
-- belongs to it. Gives 'kept', 'taken' when another account has the address, or 'no-guest'.
create or replace function public.studio_keep_guest(p_user uuid, p_session uuid, p_email text, p_password text) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  address constant text := lower(p_email);
begin
  if exists (select from auth.users where email = address and id <> p_user) then
    return 'taken';
  end if;
  update auth.users
  set email = address, encrypted_password = p_password, updated_at = now(),
    raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || jsonb_build_object('email', address)
  where id = p_user and email like '%@guest.local';
  if not found then
    return 'no-guest';
  end if;
  update auth.identities
  set identity_data = identity_data || jsonb_build_object('email', address), updated_at = now()
  where user_id = p_user and provider = 'email';
  perform private.studio_end_sessions(p_user, p_session);
  return 'kept';
exception when unique_violation then
  return 'taken';
end;
$$;

select private.studio_grant_calls('public.studio_keep_guest(uuid, uuid, text, text)', 'service_role');

-- Sets a password; false when there is no such account.
create or replace function public.studio_set_password(p_user uuid, p_session uuid, p_password text) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  update auth.users
  set encrypted_password = p_password, recovery_token = null, recovery_sent_at = null, updated_at = now()
  where id = p_user;
  if not found then
    return false;
  end if;
  perform private.studio_end_sessions(p_user, p_session);
  return true;
end;
$$;

select private.studio_grant_calls('public.studio_set_password(uuid, uuid, text)', 'service_role');

-- What a link that resets a password is bound to, so that it ends with that password; null for guests and where there is no
-- such account.
create or replace function public.studio_password_mark(p_email text) returns text
language sql stable security definer set search_path = ''
as $$
  select encode(sha256(convert_to(id::text || encrypted_password, 'UTF8')), 'hex')
  from auth.users
  where email = lower(p_email) and email not like '%@guest.local' and encrypted_password is not null;
$$;

select private.studio_grant_calls('public.studio_password_mark(text)', 'service_role');

-- Sets a new password in place of the one that has this mark, and ends all sessions. Gives the account's id; null when the
-- password has changed since.
create or replace function public.studio_reset_password(p_email text, p_mark text, p_password text) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  found_id uuid;
begin
  select id into found_id from auth.users where email = lower(p_email) for update;
  if found_id is null or public.studio_password_mark(p_email) is distinct from p_mark then
    return null;
  end if;
  perform public.studio_set_password(found_id, null, p_password);
  return found_id;
end;
$$;

select private.studio_grant_calls('public.studio_reset_password(text, text, text)', 'service_role');

-- The tables with rows of accounts, those first on which no other hangs, and how their rows of one account ($1) are found: by an
-- index on the owner, or by way of the rows that they hang on. Tables for which there is neither go with those.
create or replace function private.studio_owned_tables() returns table (name text, condition text)
language sql stable set search_path = ''
as $$
  with recursive tables as (
    select classes.oid, format('%I.%I', spaces.nspname, classes.relname) as name,
      (select columns.attnum from pg_catalog.pg_attribute as columns
       where columns.attrelid = classes.oid and columns.attname = 'owner' and not columns.attisdropped) as owner_column
    from pg_catalog.pg_class as classes
    join pg_catalog.pg_namespace as spaces on spaces.oid = classes.relnamespace
    where spaces.nspname in ('public', 'private') and classes.relkind in ('r', 'p')
      and classes.oid <> 'private.studio_deletions'::regclass
  ), by_owner as (
    select tables.oid from tables
    where exists (
      select from pg_catalog.pg_index as indexes
      where indexes.indrelid = tables.oid and indexes.indisvalid and indexes.indpred is null
        and indexes.indkey[0] = tables.owner_column
    )
  ), parents as (
    select distinct keys.conrelid as child, keys.confrelid as parent, keys.conkey[1] as child_column,
      keys.confkey[1] as parent_column
    from pg_catalog.pg_constraint as keys
    where keys.contype = 'f' and keys.confdeltype = 'c' and keys.conrelid <> keys.confrelid
  ), found as (
    select tables.oid, tables.name, 'own.owner = $1' as condition
    from tables where tables.oid in (select by_owner.oid from by_owner)
    union all
    select * from (
      select distinct on (tables.oid) tables.oid, tables.name,
        format('own.%I = any (array(select parent.%I from %s as parent where parent.owner = $1))',
          child_columns.attname, parent_columns.attname, parent_tables.name)
      from tables
      join parents on parents.child = tables.oid
      join tables as parent_tables on parent_tables.oid = parents.parent
      join pg_catalog.pg_attribute as child_columns
        on child_columns.attrelid = parents.child and child_columns.attnum = parents.child_column
      join pg_catalog.pg_attribute as parent_columns
        on parent_columns.attrelid = parents.parent and parent_columns.attnum = parents.parent_column
      where tables.oid not in (select by_owner.oid from by_owner)
        and parents.parent in (select by_owner.oid from by_owner)
      order by tables.oid, parent_tables.name
    ) as by_parent
  ), depths as (
    select tables.oid, 0 as depth from tables
    union
    select keys.conrelid, depths.depth + 1
    from depths join pg_catalog.pg_constraint as keys on keys.confrelid = depths.oid
    where keys.contype = 'f' and keys.conrelid <> keys.confrelid and depths.depth < 20
  )
  select found.name, found.condition
  from found
  -- Conversations count their messages, and need not while both go.
  order by (select max(depths.depth) from depths where depths.oid = found.oid) desc,
    found.name <> 'public.studio_memory_conversations', found.name;
$$;

select private.studio_grant_calls('private.studio_owned_tables()');

-- The first step. Doing it again changes nothing.
create or replace function private.studio_begin_deletion(p_user uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  insert into private.studio_deletions (owner, steps)
  select users.id, (
    select jsonb_agg(jsonb_build_object('name', tables.name, 'condition', tables.condition) order by tables.place)
    from private.studio_owned_tables() with ordinality as tables (name, condition, place)
  )
  from auth.users as users where users.id = p_user
  on conflict do nothing;
  if not found then
    return;
  end if;
  -- The address is free at once, and a password or a link for the old one finds nobody.
  update auth.users as users set
    email = 'deleted-' || users.id || '@deleted.invalid', encrypted_password = '', phone = null, recovery_token = '',
    raw_user_meta_data = '{}', banned_until = now() + interval '100 years', updated_at = now()
  where users.id = p_user;
  delete from auth.identities where user_id = p_user;
  perform private.studio_end_sessions(p_user, null);

  delete from private.studio_api_key_hashes as hashes using public.studio_api_keys as keys
  where keys.owner = p_user and hashes.key_id = keys.id;
  delete from private.studio_credential_secrets as secrets using public.studio_credentials as credentials
  where credentials.owner = p_user and secrets.credential_id = credentials.id;
  delete from public.studio_doors as doors where doors.owner = p_user;
  delete from private.studio_chat_sessions as sessions using public.studio_publications as publications
  where publications.owner = p_user and sessions.workflow_id = publications.workflow_id;
  delete from private.studio_chat_sessions as sessions where sessions.subject = 'account ' || p_user;

  -- Nobody is told of runs that end here.
  delete from private.studio_collectors as collectors using public.studio_publications as publications
  where publications.owner = p_user and collectors.workflow_id = publications.workflow_id;
  delete from private.studio_notices as notices where notices.owner = p_user;
  update public.studio_triggers as triggers set enabled = false where triggers.owner = p_user;
  update public.studio_publications as publications set live = null, staging = null, on_failure = null
  where publications.owner = p_user;
  -- Their workers find themselves fenced off at their next word. What is queued or waits is taken up by none.
  update public.studio_runs as runs set
    status = 'cancelled', cancel_requested_at = now(), ended_at = now(), lease_until = null
  where runs.owner = p_user and runs.status = 'running' and runs.source <> 'editor';
end;
$$;

select private.studio_grant_calls('private.studio_begin_deletion(uuid)');

-- One part of the second step, for about p_ms milliseconds: of p_user, or of whoever has waited longest. Gives whether that account is
-- gone now; null when there is none, or another process is at it.
create or replace function private.studio_delete_part(p_ms integer, p_user uuid default null) returns boolean
language plpgsql security definer set search_path = ''
-- The planner's figures are old where most rows have just gone, and would have it gather all rows of an owner for the first few.
set enable_bitmapscan = off set enable_seqscan = off
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

-- Deletes the caller's account, for whoever has signed in within the last ten minutes: the password was asked for then. A user
-- without one, as a hosted project's guests are, has nothing but the session to show. Gives
--   'sign-in-needed'  the session is older; nothing was done
--   'deleting'        nobody can use the account any more; call again to go on, or leave that to the studio or a worker
--   'deleted'         everything is gone
create or replace function public.studio_delete_my_account() returns text
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  if not exists (select from private.studio_deletions as deletions where deletions.owner = caller) then
    if not exists (select from auth.users as users where users.id = caller) then
      return 'deleted';
    end if;
    if not exists (
      select from auth.sessions as sessions join auth.users as users on users.id = sessions.user_id
      where sessions.user_id = caller and sessions.id::text = auth.jwt() ->> 'session_id'
        and (sessions.created_at > now() - interval '10 minutes' or users.is_anonymous)
    ) then
      return 'sign-in-needed';
    end if;
    perform private.studio_begin_deletion(caller);
  end if;
  return case when private.studio_delete_part(200, caller) then 'deleted' else 'deleting' end;
end;
$$;

select private.studio_grant_calls('public.studio_delete_my_account()', 'authenticated', 'service_role');

-- What an account holds, as counts by name: { id, email, createdAt, holds: { workflows, … } }; null without such an account.
create or replace function public.studio_account_contents(p_email text) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  account record;
  usage private.studio_usage%rowtype;
begin
  select users.id, users.email, users.created_at into account
  from auth.users as users where users.email = lower(p_email)
    and not exists (select from private.studio_deletions as deletions where deletions.owner = users.id);
  if not found then
    return null;
  end if;
  select * into usage from private.studio_usage as counted where counted.owner = account.id;
  return jsonb_build_object(
    'id', account.id, 'email', account.email, 'createdAt', account.created_at,
    'holds', jsonb_build_object(
      'workflows', (select count(*) from public.studio_workflows as own where own.owner = account.id),
      'versions', (select count(*) from public.studio_workflow_versions as own where own.owner = account.id),
      'published workflows', (select count(*) from public.studio_publications as own where own.owner = account.id),
      'schedules', (select count(*) from public.studio_triggers as own where own.owner = account.id),
      'runs', (select count(*) from public.studio_runs as own where own.owner = account.id),
      'steps of runs', coalesce(usage.events, 0),
      'conversations', (select count(*) from public.studio_memory_conversations as own where own.owner = account.id),
      'collections', (select count(*) from public.studio_knowledge_collections as own where own.owner = account.id),
      'documents', (select count(*) from public.studio_knowledge_documents as own where own.owner = account.id),
      'credentials', (select count(*) from public.studio_credentials as own where own.owner = account.id),
      'API keys', (select count(*) from public.studio_api_keys as own where own.owner = account.id),
      'test suites', (select count(*) from public.studio_suites as own where own.owner = account.id)
    ));
end;
$$;

select private.studio_grant_calls('public.studio_account_contents(text)', 'service_role');

-- Deletes any account, or goes on with it; gives 'deleting' or 'deleted', as above.
create or replace function public.studio_delete_account(p_user uuid) returns text
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_begin_deletion(p_user);
  perform private.studio_delete_part(200, p_user);
  return case when exists (select from auth.users where id = p_user) then 'deleting' else 'deleted' end;
end;
$$;

select private.studio_grant_calls('public.studio_delete_account(uuid)', 'service_role');

-- Counts calls that were let in already, whether or not they are within the limit.
create or replace function private.studio_count_calls(p_owner uuid, p_bucket text, p_calls integer) returns void
language sql volatile set search_path = ''
as $$
  insert into private.studio_rate_limits as counter (owner, bucket, window_start, used)
  select found.id, p_bucket, clock_timestamp(), p_calls from auth.users as found where found.id = p_owner and p_calls > 0
  on conflict (owner, bucket) do update set
    window_start = case
      when counter.window_start <= excluded.window_start - interval '1 minute' then excluded.window_start
      else counter.window_start
    end,
    used = case
      when counter.window_start <= excluded.window_start - interval '1 minute' then excluded.used
      else counter.used + excluded.used
    end;
$$;

select private.studio_grant_calls('private.studio_count_calls(uuid, text, integer)');

-- Begins a call of a function with its credential's sealed secret. `p_session`: the session of the caller's token; null for a
-- token of no session. `p_leave`: places of calls that have ended. `p_credential`: the credential that the call is made with.
-- `p_uncounted`: calls of this owner and bucket that were let in since the last one was counted.
-- Returns one of
--   {"refused": "session"}       the user is gone or banned, or the session has ended; this call was not counted
--   {"refused": "rate", "wait"}  too many calls in a minute; seconds to wait
--   {"refused": "places"}        too many calls at once
--   {"slot", "left", "credential"}  the call's place; how many more may begin in this minute; and the row with iv, ciphertext and
--                                secret_key_version (null without a secret); null where the owner has no such credential
create or replace function public.studio_begin_call(
  p_owner uuid,
  p_session uuid,
  p_bucket text,
  p_per_minute integer,
  p_max integer,
  p_ttl_seconds integer,
  p_leave uuid[],
  p_credential uuid,
  p_uncounted integer default 0
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  wait integer;
  slot uuid;
  calls_left integer;
  held jsonb;
begin
  -- Counters need not outlive a crash, so the call does not wait for the disk.
  perform set_config('synchronous_commit', 'off', true);

  if cardinality(p_leave) > 0 then
    delete from private.studio_slots where id = any (p_leave);
  end if;
  if p_uncounted > 0 then
    perform private.studio_count_calls(p_owner, p_bucket, p_uncounted);
  end if;

  if not exists (select from auth.users where id = p_owner and (banned_until is null or banned_until <= now()))
    or p_session is not null and not exists (
      select from auth.sessions
      where id = p_session and user_id = p_owner and (not_after is null or not_after > now())
    )
  then
    return jsonb_build_object('refused', 'session');
  end if;

  wait := public.studio_take_rate_limit(p_owner, p_bucket, p_per_minute);
  if wait > 0 then
    return jsonb_build_object('refused', 'rate', 'wait', wait);
  end if;

  slot := public.studio_enter_slot(p_owner, p_bucket, p_max, p_ttl_seconds);
  if slot is null then
    return jsonb_build_object('refused', 'places');
  end if;

  select greatest(0, p_per_minute - counter.used) into calls_left
  from private.studio_rate_limits as counter
  where counter.owner = p_owner and counter.bucket = p_bucket;

  if p_credential is not null then
    select jsonb_build_object(
      'id', credential.id,
      'owner', credential.owner,
      'name', credential.name,
      'type', credential.type,
      'last_four', credential.last_four,
      'allowed_hosts', credential.allowed_hosts,
      'key_version', credential.key_version,
      'settings', credential.settings,
      'iv', secret.iv,
      'ciphertext', secret.ciphertext,
      'secret_key_version', secret.key_version
    )
    into held
    from public.studio_credentials as credential
    left join private.studio_credential_secrets as secret on secret.credential_id = credential.id
    where credential.id = p_credential and credential.owner = p_owner;
  end if;

  return jsonb_build_object('slot', slot, 'left', calls_left, 'credential', held);
end;
$$;

select private.studio_grant_calls('public.studio_begin_call(uuid, uuid, text, integer, integer, integer, uuid[], uuid, integer)', 'service_role');

-- Frees places; freeing one twice, or after its time, does nothing. `p_uncounted`: calls that were let in and not counted yet, as
-- [{"owner", "bucket", "calls"}]. Neither waits for the disk: a place that a crash brings back is forgotten after its time.
create or replace function public.studio_leave_slots(p_slots uuid[], p_uncounted jsonb default '[]') returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  delete from private.studio_slots where id = any (p_slots);
  perform private.studio_count_calls(told.owner, told.bucket, told.calls)
  from jsonb_to_recordset(p_uncounted) as told(owner uuid, bucket text, calls integer);
end;
$$;

select private.studio_grant_calls('public.studio_leave_slots(uuid[], jsonb)', 'service_role');

-- An error of the database in words for the owner. p_code: its SQLSTATE; null for a message that can be shown as it is.
create or replace function private.studio_reason(p_code text, p_message text) returns text
language sql immutable set search_path = ''
as $$
  select left(case
    when p_message like 'quota_exceeded %' then
      case split_part(p_message, ' ', 2)
        when 'bytes' then 'The storage of this account is full.'
        when 'rows' then 'This account has reached its limit of entries.'
        when 'events' then 'This account has reached its limit of stored steps of runs.'
        when 'documents' then 'This account has reached its limit of documents.'
        when 'uploads' then 'This account has reached its limit of uploaded documents.'
        else 'This account has reached one of its limits.' end || ' Make room in Settings → Storage.'
    when p_message = 'not_published' then 'The workflow has no live version.'
    when p_code = '55P03' then 'Another session had locked the data.'
    when p_code = '57014' then 'It took too long and was stopped.'
    when p_code is null then p_message
    else 'The database refused it: ' || p_message end, 1000);
$$;

select private.studio_grant_calls('private.studio_reason(text, text)');

-- Stores why a chore could not be done for an owner, sets it aside for him, longer with each failure in a row, and tells him once.
create or replace function private.studio_note_chore(p_chore text, p_owner uuid, p_code text, p_message text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  reason constant text := private.studio_reason(p_code, p_message);
  noted private.studio_chore_problems%rowtype;
  before bigint;
  later timestamptz;
  told record;
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
  -- Whoever the owner's publications tell of failures.
  for told in
    select distinct on (own.on_failure) own.workflow_id from public.studio_publications as own
    where own.owner = p_owner and own.on_failure is not null
    order by own.on_failure, own.workflow_id
  loop
    perform private.studio_tell_failure(
      told.workflow_id, 'chore ' || p_chore || ' ' || extract(epoch from noted.since)::bigint,
      jsonb_build_object('kind', 'chore-failed', 'chore', p_chore, 'message', reason));
  end loop;
exception when others then
  raise warning 'A problem was not noted: %', sqlerrm;
end;
$$;

select private.studio_grant_calls('private.studio_note_chore(text, uuid, text, text)', 'studio_worker');

-- Whether a chore is not done for an owner for now.
create or replace function private.studio_is_set_aside(p_chore text, p_owner uuid) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from private.studio_chore_problems as problems
    where problems.owner = p_owner and (problems.chore = p_chore or problems.too_long) and problems.next_at > now()
  );
$$;

select private.studio_grant_calls('private.studio_is_set_aside(text, uuid)');

-- Says that a chore was done for an owner after it had failed.
create or replace function private.studio_end_chore(p_chore text, p_owner uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.studio_chore_problems as problems where problems.owner = p_owner and problems.chore = p_chore;
$$;

select private.studio_grant_calls('private.studio_end_chore(text, uuid)', 'studio_worker');

-- What could not be done for the caller, and is tried again: { chore, problem, since, failures }.
create or replace function public.studio_chore_problems() returns table (chore text, problem text, since timestamptz, failures integer)
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  return query
    select problems.chore, problems.problem, problems.since, problems.failures
    from private.studio_chore_problems as problems
    -- One whose cause has gone with its data is tried no more.
    where problems.owner = caller and problems.last_at > now() - interval '1 day'
    order by problems.chore;
end;
$$;

select private.studio_grant_calls('public.studio_chore_problems()', 'authenticated', 'service_role');

-- Owners for whom a chore is due, in the order of their ids, from p_after on; `failing`: it has failed for them the last time.
-- Owners who are set aside are left out.
create or replace function private.studio_due_owners(p_chore text, p_after uuid, p_limit integer)
returns table (owner uuid, failing boolean)
language sql stable security definer set search_path = ''
as $$
  select due.owner, problems.owner is not null
  from (
    select triggers.owner from public.studio_triggers as triggers
    where p_chore = 'schedules' and triggers.enabled and triggers.problem is null
      and (triggers.next_at is null or triggers.next_at <= now())
    union
    select waits.owner from public.studio_run_waits as waits
    where p_chore = 'waits' and waits.decision is null and waits.expires_at <= now()
    union
    select runs.owner from public.studio_runs as runs
    where p_chore in ('claims', 'lost-runs') and runs.status = 'running' and runs.source <> 'editor'
      and runs.lease_until < now()
    union
    select runs.owner from public.studio_runs as runs where p_chore = 'claims' and runs.status = 'queued'
    union
    select users.id from auth.users as users
    left join private.studio_pruned as pruned on pruned.owner = users.id
    where p_chore = 'retention' and (pruned.at is null or pruned.at < now() - interval '1 day')
    union
    select notices.owner from private.studio_notices as notices where p_chore = 'notices' and notices.next_at <= now()
    union
    select exports.owner from private.studio_trace_exports as exports where p_chore = 'traces' and exports.next_at <= now()
    union
    select deletions.owner from private.studio_deletions as deletions where p_chore = 'deletions'
  ) as due
  left join private.studio_chore_problems as problems on problems.owner = due.owner and problems.chore = p_chore
  where (p_after is null or due.owner > p_after) and not private.studio_is_set_aside(p_chore, due.owner)
    and (p_chore = 'deletions'
      or not exists (select from private.studio_deletions as deletions where deletions.owner = due.owner))
  order by due.owner
  limit p_limit;
$$;

select private.studio_grant_calls('private.studio_due_owners(text, uuid, integer)', 'studio_worker');

-- One part of deleting an account, for about p_ms milliseconds: true once it is gone, null when another process is at it.
create or replace function private.studio_delete_owner_part(p_owner uuid, p_ms integer) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_limit_waiting();
  return private.studio_delete_part(p_ms, p_owner);
end;
$$;

select private.studio_grant_calls('private.studio_delete_owner_part(uuid, integer)', 'studio_worker');

-- Goes on deleting accounts, each for about p_ms milliseconds, where no worker does: for pg_cron. Gives how many are gone.
create or replace function private.studio_delete_accounts(p_ms integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  due record;
  gone integer := 0;
begin
  for due in select * from private.studio_due_owners('deletions', null, 100) loop
    begin
      if private.studio_delete_owner_part(due.owner, p_ms) then
        gone := gone + 1;
      end if;
    exception when others then
      perform private.studio_note_chore('deletions', due.owner, sqlstate, sqlerrm);
    end;
  end loop;
  return gone;
end;
$$;

select private.studio_grant_calls('private.studio_delete_accounts(integer)');

select private.studio_count_table('public.studio_settings', 'rows', 'octet_length(item.value::text)');

-- 'rows' counts all but events of runs and words of collections; sizes are bytes.
insert into private.studio_quotas (kind, most) values
  ('rows', 250000), ('bytes', 2000000000), ('events', 2000000), ('documents', 20000), ('uploads', 1000000000);

reset check_function_bodies;
