-- Workflows, their versions, and what was imported from other builders.
set check_function_bodies = off;

-- How far an imported workflow has been looked after: { format, received, nodes, placeholder, needsCredential, approximated,
-- first }, null for a workflow that was not imported. The middle three count what is still open, by the rule of `entryState`
-- in src/engine/document/import-report.ts; `first` is the node of the first open entry. Never fails, whatever the document is.
create or replace function public.studio_import_state(p_document jsonb) returns jsonb
language sql immutable parallel safe security invoker set search_path = ''
as $$
  with report as (
    select p_document -> 'importReport' as value
    where jsonb_typeof(p_document -> 'importReport') = 'object'
      and jsonb_typeof(p_document -> 'importReport' -> 'format') = 'string'
  ), entries as (
    select entry.value as entry, entry.number, p_document -> 'nodes' -> (entry.value ->> 'nodeId') as node
    from report, jsonb_array_elements(
      case when jsonb_typeof(report.value -> 'entries') = 'array' then report.value -> 'entries' else '[]' end
    ) with ordinality as entry (value, number)
    where jsonb_typeof(entry.value) = 'object' and entry.number <= 200
  ), open as (
    select entries.entry ->> 'outcome' as outcome, entries.entry ->> 'nodeId' as node_id, entries.number
    from entries
    where coalesce(entries.entry -> 'done', 'false') <> 'true'
      and (entries.entry ->> 'nodeId' is null or (
        entries.node is not null
        and not (
          entries.entry ->> 'outcome' = 'placeholder' and entries.entry ->> 'about' = 'node'
          and coalesce(entries.node ->> 'type', '') not in ('placeholder', 'placeholder-tool')
        )
        and not (
          entries.entry ->> 'outcome' = 'needsCredential'
          and coalesce(jsonb_typeof(entries.node -> 'config' -> 'credential') = 'string', false)
          and entries.node -> 'config' ->> 'credential' <> ''
        )
      ))
  )
  select jsonb_build_object(
    'format', left(report.value ->> 'format', 40),
    'received', coalesce(report.value -> 'received', 'false') = 'true',
    'nodes', report.value -> 'nodes' -> 'total',
    'placeholder', (select count(*) from open where open.outcome = 'placeholder'),
    'needsCredential', (select count(*) from open where open.outcome = 'needsCredential'),
    'approximated', (select count(*) from open where open.outcome = 'approximated'),
    'first', (select open.node_id from open where open.node_id is not null order by open.number limit 1)
  )
  from report;
$$;

select private.studio_grant_calls('public.studio_import_state(jsonb)', 'authenticated', 'service_role');

create table public.studio_workflows (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 200),
  document jsonb not null default '{}'::jsonb
    check (jsonb_typeof(document) = 'object' and octet_length(document::text) <= 5242880),
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  tags text[] not null default '{}'
    check (cardinality(tags) <= 20 and octet_length(tags::text) <= 2000),
  -- Beside the document, which is large, so that a list need not open it.
  description text generated always as (left(document ->> 'description', 500)) stored,
  -- Beside the document, which is large, so that a list need not open it.
  import_state jsonb generated always as (public.studio_import_state(document)) stored,
  unique (id, owner)
);

create index studio_workflows_recent on public.studio_workflows (owner, updated_at desc) where deleted_at is null;
-- Where an index of part of the key was there already, one of the whole key takes its place.
create index studio_workflows_of_owner on public.studio_workflows (owner);
create index studio_workflows_trash on public.studio_workflows (owner, deleted_at desc) where deleted_at is not null;
create index studio_workflows_imported on public.studio_workflows (owner, created_at desc)
  where import_state is not null and deleted_at is null;

select private.studio_grant_rows('public.studio_workflows', 'select, insert, delete', 'id, name, document, revision, deleted_at, tags');

create table public.studio_workflow_versions (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
  workflow_id uuid not null,
  -- The identity gives the order; several versions may be made in one instant.
  seq bigint generated always as identity,
  -- Named versions are kept until someone deletes them.
  name text check (char_length(name) between 1 and 200),
  reason text not null default 'edit' check (reason in ('edit', 'restore', 'import', 'conflict', 'manual')),
  revision integer not null,
  document jsonb not null
    check (jsonb_typeof(document) = 'object' and octet_length(document::text) <= 5242880),
  -- When the document had last been changed, which is when it looked like this.
  saved_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  -- The suites of the workflow as they were: [{ id, name, version, revision }].
  suites jsonb not null default '[]'::jsonb
    check (jsonb_typeof(suites) = 'array' and octet_length(suites::text) <= 1048576),
  foreign key (workflow_id, owner) references public.studio_workflows (id, owner) on delete cascade
);

create index studio_workflow_versions_of_workflow on public.studio_workflow_versions (workflow_id, seq desc);
create index studio_workflow_versions_of_owner_and_workflow on public.studio_workflow_versions (owner, workflow_id);

select private.studio_grant_rows('public.studio_workflow_versions', 'select, insert, delete', 'name');

create or replace function public.studio_stamp_workflow() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    new.revision := 1;
    new.created_at := now();
    new.updated_at := now();
  elsif new.name is distinct from old.name or new.document is distinct from old.document then
    -- The database counts, so that no client can skip or reuse a revision.
    new.revision := old.revision + 1;
    new.updated_at := now();
  else
    new.revision := old.revision;
    new.updated_at := old.updated_at;
  end if;
  return new;
end;
$$;

select private.studio_grant_calls('public.studio_stamp_workflow()', 'service_role');

-- Keeps what an update overwrites, unless a version of the last ten minutes is there. Runs with the rights of whoever
-- updates, so that row level security holds here too.
create or replace function public.studio_keep_workflow_version() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  if exists (
    select 1 from public.studio_workflow_versions as version
    where version.workflow_id = old.id and version.created_at > now() - interval '10 minutes'
  ) then
    return null;
  end if;
  insert into public.studio_workflow_versions (owner, workflow_id, revision, document, saved_at)
  values (old.owner, old.id, old.revision, old.document, old.updated_at);
  return null;
end;
$$;

select private.studio_grant_calls('public.studio_keep_workflow_version()', 'service_role');

-- The hundred-and-first version without a name goes when a new one comes.
create or replace function public.studio_prune_workflow_versions() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  delete from public.studio_workflow_versions
  where workflow_id = new.workflow_id and name is null and seq <= (
    select version.seq from public.studio_workflow_versions as version
    where version.workflow_id = new.workflow_id and version.name is null
    order by version.seq desc
    offset 100 limit 1
  );
  return null;
end;
$$;

select private.studio_grant_calls('public.studio_prune_workflow_versions()', 'service_role');

-- Workflows: p_order is `edited` (the latest edit first), `created` (the newest first) or `name`. With p_trash those that were
-- deleted, the latest first. A search also looks into descriptions; all of p_tags have to fit. `last_run` is { id, status,
-- ending, startedAt }, null where nothing ever ran.
create or replace function public.studio_list_workflows(
  p_search text, p_order text, p_after jsonb, p_limit integer, p_tags text[] default '{}', p_trash boolean default false
) returns table (
  id uuid, name text, revision integer, created_at timestamptz, updated_at timestamptz, deleted_at timestamptz,
  description text, tags text[], last_run jsonb, total bigint, place jsonb
)
language sql stable security invoker set search_path = ''
as $$
  with fitting as materialized (
    select workflows.id, workflows.name, workflows.revision, workflows.created_at, workflows.updated_at,
      workflows.deleted_at, workflows.description, workflows.tags,
      case
        when p_trash then workflows.deleted_at
        when p_order = 'created' then workflows.created_at
        when p_order = 'edited' then workflows.updated_at
      end as moment,
      case when p_order = 'name' and not p_trash then public.studio_sort_key(workflows.name) end as sort_key
    from public.studio_workflows as workflows
    where workflows.owner = (select auth.uid()) and (workflows.deleted_at is not null) = p_trash
      and workflows.tags @> p_tags
      and public.studio_fold(workflows.name || ' ' || coalesce(workflows.description, ''))
        like all ((select public.studio_search_patterns(p_search))::text[])
  ), page as (
    select * from fitting
    where p_after is null
      or (fitting.moment is not null
        and (fitting.moment, fitting.id) < ((p_after ->> 'moment')::timestamptz, (p_after ->> 'id')::uuid))
      or (fitting.moment is null
        and (fitting.sort_key, fitting.id) > (p_after ->> 'key' collate "C", (p_after ->> 'id')::uuid))
    order by fitting.moment desc, fitting.sort_key collate "C", case when fitting.moment is null then fitting.id end,
      fitting.id desc
    limit p_limit
  )
  select page.id, page.name, page.revision, page.created_at, page.updated_at, page.deleted_at, page.description, page.tags,
    last.run, (select count(*) from fitting),
    jsonb_build_object('id', page.id, 'moment', page.moment, 'key', page.sort_key)
  from page
  left join lateral (
    select jsonb_build_object(
      'id', runs.id, 'status', runs.status, 'ending', runs.ending, 'startedAt', runs.started_at
    ) as run
    from public.studio_runs as runs
    where runs.workflow_id = page.id and runs.owner = (select auth.uid())
    order by runs.started_at desc limit 1
  ) as last on true
  order by page.moment desc, page.sort_key collate "C", case when page.moment is null then page.id end, page.id desc;
$$;

select private.studio_grant_calls('public.studio_list_workflows(text, text, jsonb, integer, text[], boolean)', 'authenticated', 'service_role');

-- The tags of the caller's workflows, and how many have each.
create or replace function public.studio_workflow_tags() returns table (tag text, workflows bigint)
language sql stable security invoker set search_path = ''
as $$
  select used.tag, count(*)
  from public.studio_workflows as workflows, unnest(workflows.tags) as used (tag)
  where workflows.owner = (select auth.uid()) and workflows.deleted_at is null
  group by used.tag
  order by public.studio_sort_key(used.tag) collate "C"
  limit 200;
$$;

select private.studio_grant_calls('public.studio_workflow_tags()', 'authenticated', 'service_role');

-- Deletes for good what the caller has left in the trash for 30 days, and gives how many there were.
create or replace function public.studio_prune_trash() returns integer
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  pruned integer;
begin
  delete from public.studio_workflows
  where owner = (select auth.uid()) and deleted_at < now() - interval '30 days';
  get diagnostics pruned = row_count;
  return pruned;
end;
$$;

select private.studio_grant_calls('public.studio_prune_trash()', 'authenticated', 'service_role');

-- Imported workflows, the newest first. p_open is `placeholder`, `needsCredential`, `approximated` or `any` for those where
-- that is still to do, `none` for those with nothing left, null for all. A search looks into names.
create or replace function public.studio_list_imports(p_search text, p_open text, p_after jsonb, p_limit integer)
returns table (id uuid, name text, created_at timestamptz, import_state jsonb, total bigint, place jsonb)
language sql stable security invoker set search_path = ''
as $$
  with imported as (
    select workflows.id, workflows.name, workflows.created_at, workflows.import_state,
      (workflows.import_state ->> 'placeholder')::integer as placeholder,
      (workflows.import_state ->> 'needsCredential')::integer as credential,
      (workflows.import_state ->> 'approximated')::integer as approximated
    from public.studio_workflows as workflows
    where workflows.owner = (select auth.uid()) and workflows.deleted_at is null and workflows.import_state is not null
      and public.studio_fold(workflows.name) like all ((select public.studio_search_patterns(p_search))::text[])
  ), fitting as materialized (
    select * from imported
    where case p_open
      when 'placeholder' then imported.placeholder > 0
      when 'needsCredential' then imported.credential > 0
      when 'approximated' then imported.approximated > 0
      when 'any' then imported.placeholder + imported.credential + imported.approximated > 0
      when 'none' then imported.placeholder + imported.credential + imported.approximated = 0
      else true
    end
  )
  select fitting.id, fitting.name, fitting.created_at, fitting.import_state, (select count(*) from fitting),
    jsonb_build_object('id', fitting.id, 'moment', fitting.created_at)
  from fitting
  where p_after is null
    or (fitting.created_at, fitting.id) < ((p_after ->> 'moment')::timestamptz, (p_after ->> 'id')::uuid)
  order by fitting.created_at desc, fitting.id desc
  limit p_limit;
$$;

select private.studio_grant_calls('public.studio_list_imports(text, text, jsonb, integer)', 'authenticated', 'service_role');

-- What a picture of each of the caller's workflows needs: the document without configs, but for where groups and notes stand.
-- At most 100.
create or replace function public.studio_workflow_outlines(p_ids uuid[]) returns table (id uuid, document jsonb)
language sql stable security invoker set search_path = ''
as $$
  select workflows.id,
    case
      when jsonb_typeof(workflows.document -> 'nodes') = 'object' then (workflows.document - 'nodes') || jsonb_build_object(
        'nodes', (
          select coalesce(jsonb_object_agg(nodes.key, case
            when jsonb_typeof(nodes.value -> 'config') = 'object' then nodes.value || jsonb_build_object(
              'config', jsonb_strip_nulls(jsonb_build_object(
                'width', nodes.value #> '{config,width}', 'height', nodes.value #> '{config,height}',
                'folded', nodes.value #> '{config,folded}', 'members', nodes.value #> '{config,members}')))
            else nodes.value
          end), '{}'::jsonb)
          from jsonb_each(workflows.document -> 'nodes') as nodes
        ))
      else workflows.document
    end
  from public.studio_workflows as workflows
  where workflows.owner = (select auth.uid()) and workflows.id = any (p_ids[1:100]);
$$;

select private.studio_grant_calls('public.studio_workflow_outlines(uuid[])', 'authenticated', 'service_role');

create trigger studio_workflows_stamp before insert or update on public.studio_workflows
  for each row execute function public.studio_stamp_workflow();
create trigger studio_workflows_keep_version after update of document on public.studio_workflows
  for each row when (old.document is distinct from new.document and old.document -> 'nodes' <> '{}'::jsonb)
  execute function public.studio_keep_workflow_version();

create trigger studio_workflow_versions_prune after insert on public.studio_workflow_versions
  for each row execute function public.studio_prune_workflow_versions();

select private.studio_count_table('public.studio_workflows', 'rows', 'octet_length(item.document::text)');
select private.studio_count_table('public.studio_workflow_versions', 'rows', 'octet_length(item.document::text)');

reset check_function_bodies;
