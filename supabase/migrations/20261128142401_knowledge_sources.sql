-- Subject: knowledge
set check_function_bodies = off;

alter table public.studio_knowledge_documents add unique (id, owner);

-- Where documents of a collection come from by themselves: a page, a sitemap, a site, a feed.
create table public.studio_knowledge_sources (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null default auth.uid(),
  collection_id uuid not null,
  kind text not null check (kind in ('page', 'sitemap', 'site', 'feed')),
  url text not null check (url ~ '^https?://' and char_length(url) <= 2000),
  -- Links between the first page of a site and another one.
  depth integer not null default 3 check (depth between 0 and 10),
  -- Patterns of addresses, as a worker compares them.
  include text[] not null default '{}' check (octet_length(array_to_string(include, ' ')) <= 10000),
  exclude text[] not null default '{}' check (octet_length(array_to_string(exclude, ' ')) <= 10000),
  -- Null: only when its owner says so.
  every_hours integer check (every_hours between 1 and 8760),
  max_pages integer not null default 200 check (max_pages between 1 and 5000),
  -- Embedded in one reload at most.
  max_tokens bigint not null default 1000000 check (max_tokens between 1000 and 1000000000),
  -- Its owner has seen what embedding its pages costs.
  accepted boolean not null default false,
  state text not null default 'idle' check (state in ('idle', 'running', 'asking')),
  -- When a worker is to look at it; null: not by itself.
  due_at timestamptz,
  -- Counts its reloads.
  run integer not null default 0,
  -- The reload under way only counts what it would embed.
  counts boolean not null default false,
  started_at timestamptz,
  -- Whoever works on it; what another one sends is refused.
  turn uuid,
  -- The worker that has the turn, and acts for the owner meanwhile.
  worker text,
  -- What the reload under way has done, and the last one that ended.
  tally jsonb not null default '{}'::jsonb,
  last jsonb,
  created_at timestamptz not null default now(),
  unique (id, owner),
  foreign key (collection_id, owner) references public.studio_knowledge_collections (id, owner) on delete cascade
);

create index studio_knowledge_sources_of_owner on public.studio_knowledge_sources (owner, due_at);
create index studio_knowledge_sources_of_collection on public.studio_knowledge_sources (collection_id, owner);
create index studio_knowledge_sources_due on public.studio_knowledge_sources (due_at) where due_at is not null;

select private.studio_grant_rows('public.studio_knowledge_sources', 'select');

-- What a source has found, and what is known of it.
create table public.studio_knowledge_source_pages (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null,
  source_id uuid not null,
  url text not null check (char_length(url) <= 2000),
  -- A list leads to others: a sitemap or a feed.
  role text not null check (role in ('page', 'list')),
  depth integer not null,
  found bigint not null generated always as identity,
  document_id uuid,
  etag text check (char_length(etag) <= 1000),
  last_modified text check (char_length(last_modified) <= 200),
  -- Of the answer, as hex.
  body_hash text,
  -- Addresses on it that the source goes on with.
  links jsonb not null default '[]'::jsonb check (jsonb_typeof(links) = 'array'),
  -- The reload that found it last, and whether that is done with it.
  run integer not null,
  done boolean not null default false,
  -- The host said that there is no such page.
  gone boolean not null default false,
  -- Reloads in a row that did not find it.
  missing integer not null default 0,
  error jsonb,
  unique (source_id, owner, url),
  foreign key (source_id, owner) references public.studio_knowledge_sources (id, owner) on delete cascade,
  foreign key (document_id, owner) references public.studio_knowledge_documents (id, owner) on delete set null (document_id)
);

create index studio_knowledge_source_pages_of_owner on public.studio_knowledge_source_pages (owner);
create index studio_knowledge_source_pages_of_document on public.studio_knowledge_source_pages (document_id, owner);
create index studio_knowledge_source_pages_in_order on public.studio_knowledge_source_pages (source_id, run, done, depth, found);

select private.studio_grant_rows('public.studio_knowledge_source_pages', 'select');

-- When sources may ask a host again, whoever they belong to.
create table private.studio_source_hosts (
  host text primary key check (char_length(host) <= 300),
  next_at timestamptz not null
);

create index studio_source_hosts_old on private.studio_source_hosts (next_at);

select private.studio_grant_rows('private.studio_source_hosts');

select private.studio_count_table('public.studio_knowledge_sources', 'rows',
  'octet_length(item.url) + octet_length(item.tally::text) + coalesce(octet_length(item.last::text), 0)'),
  private.studio_count_table('public.studio_knowledge_source_pages', 'rows',
  'octet_length(item.url) + octet_length(item.links::text) + coalesce(octet_length(item.error::text), 0)');

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
    select jobs.owner from private.studio_run_jobs as jobs where p_chore = 'claims'
    union
    select checks.owner from private.studio_queue_checks as checks where p_chore = 'claims' and checks.at <= now()
    union
    select runs.owner from public.studio_runs as runs where p_chore = 'queue' and runs.status = 'queued'
    union
    select users.id from auth.users as users
    left join private.studio_pruned as pruned on pruned.owner = users.id
    where p_chore = 'retention' and (pruned.at is null or pruned.at < now() - interval '1 day')
    union
    select notices.owner from private.studio_notices as notices where p_chore = 'notices' and notices.next_at <= now()
    union
    select exports.owner from private.studio_trace_exports as exports where p_chore = 'traces' and exports.next_at <= now()
    union
    select documents.owner from public.studio_knowledge_documents as documents where p_chore = 'reindexing' and documents.stale
    union
    select documents.owner from public.studio_knowledge_documents as documents
    where p_chore = 'uploads' and documents.upload is not null and documents.upload_due <= now() and documents.deleted_at is null
    union
    select sources.owner from public.studio_knowledge_sources as sources
    join public.studio_knowledge_collections as collections on collections.id = sources.collection_id and collections.deleted_at is null
    where p_chore = 'sources' and sources.due_at <= now()
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

-- Whether a chore is not done for an owner for now. Nothing that reaches beyond the studio is done while it pauses.
create or replace function private.studio_is_set_aside(p_chore text, p_owner uuid) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from private.studio_chore_problems as problems
    where problems.owner = p_owner and (problems.chore = p_chore or problems.too_long) and problems.next_at > now()
  ) or (
    p_chore in ('schedules', 'waits', 'lost-runs', 'claims', 'queue', 'notices', 'traces', 'sources')
    and exists (select from private.studio_pause)
  );
$$;

select private.studio_grant_calls('private.studio_is_set_aside(text, uuid)');

-- Takes the source of an owner that has been due longest, for a while, and begins a reload where none is under way; null where none is due.
-- Until its turn ends, this worker alone acts for the owner. p_free: providers of vectors that cost nothing. Where another one makes them, reloads only count until the owner has accepted the cost.
create or replace function private.studio_claim_source(p_worker text, p_owner uuid, p_free jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  claimed public.studio_knowledge_sources%rowtype;
  provider text;
begin
  perform private.studio_limit_waiting();
  perform set_config('studio.moves_on', 'yes', true);
  select due.* into claimed from public.studio_knowledge_sources as due
  join public.studio_knowledge_collections as collections on collections.id = due.collection_id and collections.deleted_at is null
  where due.owner = p_owner and due.due_at <= now()
  order by due.due_at, due.id limit 1 for update of due skip locked;
  if claimed.id is null then
    return null;
  end if;
  if claimed.state <> 'running' then
    select collections.embedding_provider into provider from public.studio_knowledge_collections as collections
    where collections.id = claimed.collection_id;
    update public.studio_knowledge_sources as own
    set state = 'running', run = own.run + 1, started_at = now(), tally = '{}',
      counts = not own.accepted and provider is not null and not p_free ? provider
    where own.id = claimed.id returning own.* into claimed;
    insert into public.studio_knowledge_source_pages as pages (owner, source_id, url, role, depth, run)
    values (p_owner, claimed.id, claimed.url, case when claimed.kind in ('page', 'site') then 'page' else 'list' end, 0, claimed.run)
    on conflict (source_id, owner, url) do update
    set role = excluded.role, depth = 0, run = excluded.run, done = false, gone = false;
  end if;
  update public.studio_knowledge_sources as own set turn = gen_random_uuid(), worker = p_worker, due_at = now() + interval '10 minutes'
  where own.id = claimed.id returning own.* into claimed;
  return jsonb_build_object('id', claimed.id, 'turn', claimed.turn, 'collection', claimed.collection_id, 'kind', claimed.kind,
    'url', claimed.url, 'depth', claimed.depth, 'include', claimed.include, 'exclude', claimed.exclude,
    'maxTokens', claimed.max_tokens, 'counts', claimed.counts, 'seconds', extract(epoch from now() - claimed.started_at),
    'tokens', coalesce((claimed.tally ->> 'tokens')::bigint, 0), 'bytes', coalesce((claimed.tally ->> 'bytes')::bigint, 0));
end;
$$;

select private.studio_grant_calls('private.studio_claim_source(text, uuid, jsonb)', 'studio_worker');

-- Deletes a source of the caller, with the documents that it alone brought where p_with_documents says so: how many those are. Null where
-- there is no such source.
create or replace function public.studio_delete_source(p_id uuid, p_with_documents boolean) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  removed integer := 0;
begin
  perform from public.studio_knowledge_sources as own where own.id = p_id and own.owner = caller for update;
  if not found then
    return null;
  end if;
  if p_with_documents then
    update public.studio_knowledge_documents as documents set deleted_at = now(), upload = null
    where documents.owner = caller and documents.deleted_at is null
      and documents.id in (
        select pages.document_id from public.studio_knowledge_source_pages as pages
        where pages.source_id = p_id and pages.owner = caller)
      and not exists (
        select from public.studio_knowledge_source_pages as others
        where others.document_id = documents.id and others.owner = caller and others.source_id <> p_id);
    get diagnostics removed = row_count;
  end if;
  delete from public.studio_knowledge_sources as own where own.id = p_id;
  return removed;
end;
$$;

select private.studio_grant_calls('public.studio_delete_source(uuid, boolean)', 'authenticated', 'service_role');

-- Ends a reload, of which p_error says why it is not complete. Pages that were not found in three reloads in a row leave with their
-- documents; those that a feed no longer lists stay, and so do those that a reload which is not complete has not come to.
create or replace function private.studio_end_source(p_owner uuid, p_source uuid, p_turn uuid, p_error jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  ended public.studio_knowledge_sources%rowtype;
  is_complete boolean;
  removed integer := 0;
begin
  perform private.studio_limit_waiting();
  perform set_config('studio.moves_on', 'yes', true);
  select own.* into ended from public.studio_knowledge_sources as own
  where own.id = p_source and own.owner = p_owner and own.turn = p_turn for update;
  if not found then
    return;
  end if;
  if not ended.counts then
    is_complete := p_error is null and not ended.tally ?| array['cut', 'incomplete'] and ended.kind <> 'feed';
    update public.studio_knowledge_source_pages as pages set missing = pages.missing + 1
    where pages.source_id = p_source and ((pages.run = ended.run and pages.gone) or (pages.run <> ended.run and is_complete));
    with gone as (
      delete from public.studio_knowledge_source_pages as pages where pages.source_id = p_source and pages.missing >= 3
      returning pages.id, pages.document_id
    )
    update public.studio_knowledge_documents as documents set deleted_at = now(), upload = null
    where documents.id in (select gone.document_id from gone) and documents.owner = p_owner and documents.deleted_at is null
      and not exists (
        select from public.studio_knowledge_source_pages as others
        where others.document_id = documents.id and others.id not in (select gone.id from gone));
    get diagnostics removed = row_count;
  end if;
  update public.studio_knowledge_sources as own
  set turn = null, worker = null,
    state = case when own.counts and p_error is null then 'asking' else 'idle' end,
    due_at = case when own.counts and p_error is null then null else now() + make_interval(hours => own.every_hours) end,
    last = own.tally || jsonb_build_object('removed', removed, 'counted', own.counts, 'error', p_error, 'endedAt', now())
  where own.id = p_source;
end;
$$;

select private.studio_grant_calls('private.studio_end_source(uuid, uuid, uuid, jsonb)', 'studio_worker');

-- Gives a source back in the middle of its reload, which goes on after p_ms milliseconds.
create or replace function private.studio_leave_source(p_owner uuid, p_source uuid, p_turn uuid, p_ms integer) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_limit_waiting();
  perform set_config('studio.moves_on', 'yes', true);
  update public.studio_knowledge_sources as own set turn = null, worker = null, due_at = now() + make_interval(secs => p_ms / 1000.0)
  where own.id = p_source and own.owner = p_owner and own.turn = p_turn;
end;
$$;

select private.studio_grant_calls('private.studio_leave_source(uuid, uuid, uuid, integer)', 'studio_worker');

-- The sources of a collection of the caller, in the order in which they were added, with how many documents each has brought and the
-- first twenty pages that failed: [{ url, message, hint }].
create or replace function public.studio_list_sources(p_collection_id uuid)
returns table (
  id uuid, kind text, url text, depth integer, include text[], exclude text[], every_hours integer, max_pages integer,
  max_tokens bigint, state text, counts boolean, started_at timestamptz, due_at timestamptz, tally jsonb, last jsonb, documents bigint,
  failures jsonb
)
language sql stable security invoker set search_path = ''
as $$
  select sources.id, sources.kind, sources.url, sources.depth::integer, sources.include, sources.exclude, sources.every_hours::integer,
    sources.max_pages::integer, sources.max_tokens::bigint, sources.state, sources.counts, sources.started_at, sources.due_at,
    sources.tally, sources.last,
    (select count(*) from public.studio_knowledge_source_pages as pages
     join public.studio_knowledge_documents as documents on documents.id = pages.document_id and documents.deleted_at is null
     where pages.source_id = sources.id),
    (select coalesce(jsonb_agg(failed.failure), '[]') from (
       select pages.error || jsonb_build_object('url', pages.url) as failure
       from public.studio_knowledge_source_pages as pages
       where pages.source_id = sources.id and pages.error is not null and pages.run = sources.run
       order by pages.depth, pages.found limit 20) as failed)
  from public.studio_knowledge_sources as sources
  where sources.owner = (select auth.uid()) and sources.collection_id = p_collection_id
  order by sources.created_at, sources.id;
$$;

select private.studio_grant_calls('public.studio_list_sources(uuid)', 'authenticated', 'service_role');

-- The name that a page's document gets: its title, followed by its address where another document of the collection has that name.
-- A document that is there already (p_document) has it from then on. Null where another turn has begun.
create or replace function private.studio_name_source_document(
  p_owner uuid, p_source uuid, p_turn uuid, p_document uuid, p_title text, p_url text
) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  collection uuid;
  named text := p_title;
begin
  perform private.studio_limit_waiting();
  perform set_config('studio.moves_on', 'yes', true);
  select own.collection_id into collection from public.studio_knowledge_sources as own
  where own.id = p_source and own.owner = p_owner and own.turn = p_turn;
  if not found then
    return null;
  end if;
  perform pg_advisory_xact_lock(hashtextextended(collection::text || ' ' || p_title, 0));
  if exists (
    select from public.studio_knowledge_documents as others
    where others.collection_id = collection and others.owner = p_owner and others.name = p_title and others.deleted_at is null
      and others.id is distinct from p_document
  ) then
    named := left(p_title, 200) || ' (' || left(p_url, 290) || ')';
  end if;
  update public.studio_knowledge_documents as own set name = named
  where own.id = p_document and own.owner = p_owner and own.collection_id = collection and own.name <> named;
  return named;
end;
$$;

select private.studio_grant_calls('private.studio_name_source_document(uuid, uuid, uuid, uuid, text, text)', 'studio_worker');

-- The page that a reload reads next, with the document that it became: the page's own, or one of its address in the collection.
-- Null where none is left, or where another turn has begun.
create or replace function private.studio_next_source_page(p_owner uuid, p_source uuid, p_turn uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('id', pages.id, 'url', pages.url, 'role', pages.role, 'depth', pages.depth, 'etag', pages.etag,
    'lastModified', pages.last_modified, 'hash', pages.body_hash, 'links', pages.links,
    'document', (
      select jsonb_build_object('id', documents.id, 'name', documents.name, 'hash', documents.content_hash, 'status', documents.status)
      from public.studio_knowledge_documents as documents
      where documents.collection_id = sources.collection_id and documents.owner = p_owner and documents.deleted_at is null
        and (documents.id = pages.document_id or (pages.document_id is null and documents.source = pages.url))
      order by documents.created_at, documents.id limit 1))
  from public.studio_knowledge_sources as sources
  join public.studio_knowledge_source_pages as pages on pages.source_id = sources.id and pages.run = sources.run and not pages.done
  where sources.id = p_source and sources.owner = p_owner and sources.turn = p_turn
  order by pages.depth, pages.found limit 1;
$$;

select private.studio_grant_calls('private.studio_next_source_page(uuid, uuid, uuid)', 'studio_worker');

-- Notes what became of a page in a reload, and queues what it leads to. p_note: { outcome, error, tokens, bytes, costUsd, next, incomplete,
-- kept }, where `outcome` is added, changed, unchanged, gone, failed or listed, `next` a list of { url, role, depth }, `incomplete` says that
-- more could not be found, and `kept` what is known of the page from now on: { etag, lastModified, hash, links, document }; null where it
-- stays. False where another turn has begun.
create or replace function private.studio_note_source_page(p_owner uuid, p_source uuid, p_turn uuid, p_page uuid, p_note jsonb)
returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  noted public.studio_knowledge_sources%rowtype;
  outcome constant text := p_note ->> 'outcome';
  kept constant jsonb := nullif(p_note -> 'kept', 'null');
  is_cut boolean;
begin
  perform private.studio_limit_waiting();
  perform set_config('studio.moves_on', 'yes', true);
  select own.* into noted from public.studio_knowledge_sources as own
  where own.id = p_source and own.owner = p_owner and own.turn = p_turn for update;
  if not found then
    return false;
  end if;
  update public.studio_knowledge_source_pages as pages
  set done = true, gone = outcome = 'gone', error = nullif(p_note -> 'error', 'null'),
    missing = case when outcome in ('added', 'changed', 'unchanged', 'listed') then 0 else pages.missing end,
    etag = case when kept is null then pages.etag else kept ->> 'etag' end,
    last_modified = case when kept is null then pages.last_modified else kept ->> 'lastModified' end,
    body_hash = case when kept is null then pages.body_hash else kept ->> 'hash' end,
    links = case when kept is null then pages.links else coalesce(kept -> 'links', '[]') end,
    document_id = case when kept is null then pages.document_id else (
      select documents.id from public.studio_knowledge_documents as documents
      where documents.id = (kept ->> 'document')::uuid and documents.owner = p_owner) end
  where pages.id = p_page and pages.source_id = p_source;

  with given as (
    select next.url, next.role, next.depth, next.place,
      row_number() over (partition by next.role order by next.place) + (
        select count(*) from public.studio_knowledge_source_pages as queued
        where queued.source_id = p_source and queued.run = noted.run and queued.role = next.role) as number
    from (
      select distinct on (one.url) one.*
      from rows from (jsonb_to_recordset(coalesce(nullif(p_note -> 'next', 'null'), '[]')) as (url text, role text, depth integer))
        with ordinality as one (url, role, depth, place)
      order by one.url, one.place
    ) as next
    where not exists (
      select from public.studio_knowledge_source_pages as known
      where known.source_id = p_source and known.owner = p_owner and known.url = next.url and known.run = noted.run)
  ), added as (
    insert into public.studio_knowledge_source_pages as pages (owner, source_id, url, role, depth, run)
    select p_owner, p_source, given.url, given.role, given.depth, noted.run
    from given where given.number <= case given.role when 'page' then noted.max_pages else 200 end
    order by given.place
    on conflict (source_id, owner, url) do update
    set role = excluded.role, depth = excluded.depth, run = excluded.run, done = false, gone = false
    returning pages.id
  )
  select (select count(*) from given) > (select count(*) from added) into is_cut;

  update public.studio_knowledge_sources as own
  set due_at = now() + interval '10 minutes',
    tally = own.tally || jsonb_build_object(
      outcome, coalesce((own.tally ->> outcome)::integer, 0) + 1,
      'tokens', coalesce((own.tally ->> 'tokens')::bigint, 0) + (p_note ->> 'tokens')::bigint,
      'bytes', coalesce((own.tally ->> 'bytes')::bigint, 0) + (p_note ->> 'bytes')::bigint,
      'costUsd', case when own.tally ? 'costUsd' then (own.tally ->> 'costUsd')::double precision else 0 end
        + (p_note ->> 'costUsd')::double precision)
      || case when is_cut then '{"cut": true}'::jsonb else '{}' end
      || case when (p_note ->> 'incomplete')::boolean then '{"incomplete": true}'::jsonb else '{}' end
  where own.id = p_source;
  return true;
end;
$$;

select private.studio_grant_calls('private.studio_note_source_page(uuid, uuid, uuid, uuid, jsonb)', 'studio_worker');

-- Has a source of the caller loaded now: whether there is one. p_accept: what embedding its pages costs is accepted from now on.
create or replace function public.studio_reload_source(p_id uuid, p_accept boolean) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  update public.studio_knowledge_sources as own
  set accepted = own.accepted or p_accept,
    state = case when own.state = 'asking' then 'idle' else own.state end,
    due_at = case when own.state = 'running' then own.due_at else now() end
  where own.id = p_id and own.owner = caller;
  return found;
end;
$$;

select private.studio_grant_calls('public.studio_reload_source(uuid, boolean)', 'authenticated', 'service_role');

-- Adds a source to a collection of the caller, or changes one: its id; null where there is none. p_source: { kind, url, depth, include,
-- exclude, everyHours, maxPages, maxTokens }. A new one, and one that is to find other pages than before, is loaded at once.
create or replace function public.studio_save_source(p_id uuid, p_collection_id uuid, p_source jsonb) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  given public.studio_knowledge_sources%rowtype;
  known public.studio_knowledge_sources%rowtype;
  is_other boolean;
begin
  if not exists (
    select from public.studio_knowledge_collections as collections
    where collections.id = p_collection_id and collections.owner = caller and collections.deleted_at is null
  ) then
    return null;
  end if;
  given.kind := p_source ->> 'kind';
  given.url := p_source ->> 'url';
  given.depth := (p_source ->> 'depth')::integer;
  given.include := array(select jsonb_array_elements_text(p_source -> 'include'));
  given.exclude := array(select jsonb_array_elements_text(p_source -> 'exclude'));
  given.every_hours := (p_source ->> 'everyHours')::integer;
  given.max_pages := (p_source ->> 'maxPages')::integer;
  given.max_tokens := (p_source ->> 'maxTokens')::bigint;
  if p_id is null then
    insert into public.studio_knowledge_sources as own
      (owner, collection_id, kind, url, depth, include, exclude, every_hours, max_pages, max_tokens, due_at)
    values (caller, p_collection_id, given.kind, given.url, given.depth, given.include, given.exclude, given.every_hours,
      given.max_pages, given.max_tokens, now())
    returning own.id into given.id;
    return given.id;
  end if;
  select own.* into known from public.studio_knowledge_sources as own
  where own.id = p_id and own.owner = caller and own.collection_id = p_collection_id for update;
  if not found then
    return null;
  end if;
  is_other := (known.kind, known.url, known.depth, known.include, known.exclude, known.max_pages)
    is distinct from (given.kind, given.url, given.depth, given.include, given.exclude, given.max_pages);
  if is_other then
    -- What they lead to is read again.
    update public.studio_knowledge_source_pages as pages set etag = null, last_modified = null, body_hash = null
    where pages.source_id = p_id and pages.owner = caller;
  end if;
  update public.studio_knowledge_sources as own
  set kind = given.kind, url = given.url, depth = given.depth, include = given.include, exclude = given.exclude,
    every_hours = given.every_hours, max_pages = given.max_pages, max_tokens = given.max_tokens,
    state = case when is_other then 'idle' else own.state end,
    turn = case when is_other then null else own.turn end,
    due_at = case
      when is_other then now()
      when own.state <> 'idle' or own.last is null then own.due_at
      else (own.last ->> 'endedAt')::timestamptz + make_interval(hours => given.every_hours) end
  where own.id = p_id;
  return p_id;
end;
$$;

select private.studio_grant_calls('public.studio_save_source(uuid, uuid, jsonb)', 'authenticated', 'service_role');

-- Takes the next moment at which sources may ask a host, p_ms milliseconds after the one before, whoever asks: how many milliseconds
-- until then.
create or replace function private.studio_take_host_turn(p_owner uuid, p_host text, p_ms integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  moment constant timestamptz := clock_timestamp();
  free_at timestamptz;
begin
  perform private.studio_limit_waiting();
  delete from private.studio_source_hosts as hosts where hosts.next_at < moment - interval '1 hour';
  insert into private.studio_source_hosts as hosts (host, next_at)
  values (p_host, moment + make_interval(secs => p_ms / 1000.0))
  on conflict (host) do update
  set next_at = greatest(hosts.next_at, moment) + make_interval(secs => p_ms / 1000.0)
  returning hosts.next_at - make_interval(secs => p_ms / 1000.0) into free_at;
  return ceil(extract(epoch from free_at - moment) * 1000)::integer;
end;
$$;

select private.studio_grant_calls('private.studio_take_host_turn(uuid, text, integer)', 'studio_worker');
