-- Deleting an account, in two steps. The first, one short transaction, leaves nobody a way in: no session, password, key, door,
-- schedule or secret of the account works after it. The second deletes what the account owns, in parts that are short enough for
-- others to be served in between; it goes on where it stopped, and ends with the user itself.

-- Accounts that are being deleted. A row goes with its user.
create table private.studio_deletions (
  owner uuid primary key references auth.users (id) on delete cascade,
  asked_at timestamptz not null default now(),
  -- The tables that are still to be gone through, as studio_owned_tables() gives them: [{ name, condition }].
  steps jsonb not null
);
alter table private.studio_deletions enable row level security;
revoke all on table private.studio_deletions from public, anon, authenticated, service_role;

-- Whoever signs in to a chat page with an account of the studio is named in rows of the page's owner.
create index studio_chat_sessions_of_subject on private.studio_chat_sessions (subject);
create index studio_chat_threads_of_accounts on public.studio_chat_threads (subject) where subject like 'account %';
create index studio_runs_of_accounts on public.studio_runs (subject) where subject like 'account %';

-- As before, and nothing of an account that is being deleted.
create or replace function private.studio_may_run(
  p_owner uuid, p_workflow_id uuid, p_has_begun boolean, p_most_of_owner integer
) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  limits jsonb;
begin
  if exists (select from private.studio_deletions as deletions where deletions.owner = p_owner) then
    return false;
  end if;
  if (
    select count(*) from public.studio_runs as busy
    where busy.owner = p_owner and busy.status = 'running' and busy.source <> 'editor' and busy.lease_until >= now()
  ) >= p_most_of_owner then
    return false;
  end if;
  select publications.limits into limits from public.studio_publications as publications
  where publications.workflow_id = p_workflow_id;
  if limits -> 'concurrent' is not null and (
    select count(*) from public.studio_runs as busy
    where busy.workflow_id = p_workflow_id and busy.status = 'running' and busy.source <> 'editor'
      and busy.lease_until >= now()
  ) >= (limits ->> 'concurrent')::numeric then
    return false;
  end if;
  return p_has_begun or limits -> 'perMinute' is null or (
    select count(*) from public.studio_runs as recent
    where recent.workflow_id = p_workflow_id and recent.source <> 'editor' and recent.attempt > 0
      and recent.started_at > now() - interval '1 minute'
  ) < (limits ->> 'perMinute')::numeric;
end;
$$;

-- As before, but counts nothing while an account is deleted: of that account it is of no use, and costs more than deleting does.
create or replace function private.studio_count_usage() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  counts constant text := tg_argv[0];
  source text;
  change record;
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

-- As before, without those that are being deleted.
create or replace function public.studio_accounts() returns table (id uuid, email text, created_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select users.id, users.email::text, users.created_at from auth.users as users
  where not exists (select from private.studio_deletions as deletions where deletions.owner = users.id)
  order by users.created_at, users.id;
$$;

-- The tables with rows of accounts, those first on which no other hangs, and how their rows of one account ($1) are found: by an
-- index on the owner, or by way of the rows that they hang on. Tables for which there is neither go with those.
create function private.studio_owned_tables() returns table (name text, condition text)
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

-- The first step. Doing it again changes nothing.
create function private.studio_begin_deletion(p_user uuid) returns void
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

-- One part of the second step, for about p_ms milliseconds: of p_user, or of whoever has waited longest. Gives whether that account is
-- gone now; null when there is none, or another process is at it.
create function private.studio_delete_part(p_ms integer, p_user uuid default null) returns boolean
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

-- Deletes the caller's account, for whoever has signed in within the last ten minutes: the password was asked for then. A user
-- without one, as a hosted project's guests are, has nothing but the session to show. Gives
--   'sign-in-needed'  the session is older; nothing was done
--   'deleting'        nobody can use the account any more; call again to go on, or leave that to the studio or a worker
--   'deleted'         everything is gone
create function public.studio_delete_my_account() returns text
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

-- What an account holds, as counts by name: { id, email, createdAt, holds: { workflows, … } }; null without such an account.
create function public.studio_account_contents(p_email text) returns jsonb
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

-- Deletes any account, or goes on with it; gives 'deleting' or 'deleted', as above.
create function public.studio_delete_account(p_user uuid) returns text
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_begin_deletion(p_user);
  perform private.studio_delete_part(200, p_user);
  return case when exists (select from auth.users where id = p_user) then 'deleting' else 'deleted' end;
end;
$$;

do $$
declare
  signature text;
begin
  foreach signature in array array[
    'studio_begin_deletion(uuid)', 'studio_owned_tables()', 'studio_delete_part(integer, uuid)'
  ] loop
    execute format('revoke all on function private.%s from public, anon, authenticated, service_role', signature);
  end loop;
  grant execute on function private.studio_delete_part(integer, uuid) to studio_worker;
  foreach signature in array array[
    'studio_delete_my_account()', 'studio_account_contents(text)', 'studio_delete_account(uuid)'
  ] loop
    execute format('revoke all on function public.%s from public, anon, authenticated', signature);
    execute format('grant execute on function public.%s to service_role', signature);
  end loop;
  grant execute on function public.studio_delete_my_account() to authenticated;
end;
$$;
