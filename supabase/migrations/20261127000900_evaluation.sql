-- Suites of test cases, their versions, and what evaluations found.
set check_function_bodies = off;

create table public.studio_suites (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
  workflow_id uuid not null,
  name text not null check (char_length(name) between 1 and 200),
  -- A suite as `npm run evaluate` reads it, without workflow and dataset.
  settings jsonb not null default '{}'::jsonb
    check (jsonb_typeof(settings) = 'object' and octet_length(settings::text) <= 262144),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  revision integer not null default 1,
  -- Suites whose next result may differ for this reason alone: they are named to their owner once.
  checks_changed boolean not null default false,
  unique (id, owner),
  foreign key (workflow_id, owner) references public.studio_workflows (id, owner) on delete cascade
);

create index studio_suites_of_owner on public.studio_suites (owner, updated_at desc);
create index studio_suites_of_workflow on public.studio_suites (workflow_id, owner);
create index studio_suites_checks_changed on public.studio_suites (owner) where checks_changed;

select private.studio_grant_rows('public.studio_suites', 'select, insert, delete', 'name, settings, checks_changed');

create table public.studio_cases (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
  suite_id uuid not null,
  -- The case's own id, by which results name it.
  name text not null check (char_length(name) between 1 and 200),
  -- { input, expected?, metadata?, assert?, source? }
  body jsonb not null check (jsonb_typeof(body) = 'object' and octet_length(body::text) <= 1048576),
  -- The events of a recorded run, from which models and tools can answer again.
  cassette jsonb check (jsonb_typeof(cassette) = 'array' and octet_length(cassette::text) <= 5242880),
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  foreign key (suite_id, owner) references public.studio_suites (id, owner) on delete cascade
);

create index studio_cases_of_suite on public.studio_cases (suite_id, owner);
create index studio_cases_of_owner on public.studio_cases (owner);
create unique index studio_cases_named on public.studio_cases (suite_id, name) where removed_at is null;

select private.studio_grant_rows('public.studio_cases', 'select, insert, delete', 'name, body, removed_at');

create table public.studio_evaluations (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
  suite_id uuid not null,
  -- What was tried, as a digest: an evaluation of the same goes on where it was left.
  digest text not null check (char_length(digest) <= 200),
  -- `running` until there is a summary; one whose tab went away stays so, and can be gone on with.
  status text not null default 'running' check (status in ('running', 'passed', 'failed', 'unchecked', 'too-little-evidence', 'not-run')),
  -- The result without its trials.
  summary jsonb check (jsonb_typeof(summary) = 'object' and octet_length(summary::text) <= 5242880),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- What was measured: a version of the suite, and the workflow as it was saved or published; neither where it was a proposal that
  -- nobody saved. Null, too, in evaluations of before this migration.
  suite_version integer,
  workflow_revision integer,
  published_version integer,
  unique (id, owner),
  foreign key (suite_id, owner) references public.studio_suites (id, owner) on delete cascade
);

create index studio_evaluations_of_suite on public.studio_evaluations (suite_id, owner, created_at desc);
create index studio_evaluations_of_owner on public.studio_evaluations (owner);

select private.studio_grant_rows('public.studio_evaluations', 'select, insert, delete', 'status, summary');

create table public.studio_trials (
  evaluation_id uuid not null,
  owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
  variant text not null check (char_length(variant) <= 500),
  case_name text not null check (char_length(case_name) between 1 and 200),
  trial integer not null check (trial >= 1),
  result jsonb not null check (jsonb_typeof(result) = 'object' and octet_length(result::text) <= 262144),
  primary key (evaluation_id, variant, case_name, trial),
  foreign key (evaluation_id, owner) references public.studio_evaluations (id, owner) on delete cascade
);

create index studio_trials_of_evaluation on public.studio_trials (evaluation_id, owner);
create index studio_trials_of_owner on public.studio_trials (owner);

select private.studio_grant_rows('public.studio_trials', 'select, insert, delete', 'result');

create table public.studio_suite_versions (
  suite_id uuid not null,
  owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
  -- Counts from 1.
  version integer not null check (version >= 1),
  -- The suite's, of which this is the state.
  revision integer not null,
  name text not null check (char_length(name) between 1 and 200),
  settings jsonb not null
    check (jsonb_typeof(settings) = 'object' and octet_length(settings::text) <= 262144),
  -- In their order: [{ id, name, body }].
  cases jsonb not null check (jsonb_typeof(cases) = 'array' and octet_length(cases::text) <= 20971520),
  case_count integer not null generated always as (jsonb_array_length(cases)) stored,
  created_at timestamptz not null default now(),
  primary key (suite_id, version),
  unique (suite_id, revision),
  foreign key (suite_id, owner) references public.studio_suites (id, owner) on delete cascade
);

create index studio_suite_versions_of_suite on public.studio_suite_versions (suite_id, owner);
create index studio_suite_versions_of_owner on public.studio_suite_versions (owner);

select private.studio_grant_rows('public.studio_suite_versions', 'select, insert, delete');

-- The caller's suites, the latest change first, with the cases that were not deleted: [{ id, name, workflowId, workflowName,
-- cases, lastStatus, lastAt }].
create or replace function public.studio_list_suites(p_limit integer) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  select coalesce(jsonb_agg(to_jsonb(page) order by page."updatedAt" desc, page.id), '[]'::jsonb)
  from (
    select suites.id, suites.name, suites.workflow_id as "workflowId", workflows.name as "workflowName",
      suites.updated_at as "updatedAt",
      (
        select count(*) from public.studio_cases as cases
        where cases.suite_id = suites.id and cases.removed_at is null
      ) as cases,
      last.status as "lastStatus", last.created_at as "lastAt"
    from public.studio_suites as suites
    join public.studio_workflows as workflows on workflows.id = suites.workflow_id
    left join lateral (
      select evaluations.status, evaluations.created_at from public.studio_evaluations as evaluations
      where evaluations.suite_id = suites.id
      order by evaluations.created_at desc limit 1
    ) as last on true
    where suites.owner = (select auth.uid()) and workflows.deleted_at is null
    order by suites.updated_at desc, suites.id
    limit greatest(0, least(p_limit, 500))
  ) as page;
$$;

select private.studio_grant_calls('public.studio_list_suites(integer)', 'authenticated', 'service_role');

create or replace function public.studio_count_suite_revision() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  new.revision := old.revision + 1;
  return new;
end;
$$;

select private.studio_grant_calls('public.studio_count_suite_revision()', 'service_role');

-- Runs as its owner, since clients may not write a suite's revision. The rows are those that the caller has just changed.
create or replace function private.studio_count_case_revision() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.studio_suites set revision = revision + 1, updated_at = now()
  where id in (select changed.suite_id from changed);
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_count_case_revision()');

-- Keeps a suite as a version, unless one has this state, and gives its number; null where its cases are too large for that. Of versions
-- that no published workflow names, the last hundred stay, and p_spare. Raises "suite_not_found".
create or replace function public.studio_keep_suite_version(p_suite_id uuid, p_spare integer default null) returns integer
language plpgsql security invoker set search_path = ''
as $$
declare
  suite public.studio_suites%rowtype;
  kept jsonb;
  number integer;
begin
  -- Locked, so that two who keep it at once make one version.
  select * into suite from public.studio_suites as suites where suites.id = p_suite_id for update;
  if not found then
    raise exception 'suite_not_found' using errcode = 'P0002';
  end if;
  select versions.version into number from public.studio_suite_versions as versions
  where versions.suite_id = p_suite_id and versions.revision = suite.revision;
  if found then
    return number;
  end if;
  select coalesce(
    jsonb_agg(
      jsonb_build_object('id', cases.id, 'name', cases.name, 'body', cases.body) order by cases.created_at, cases.name
    ), '[]'::jsonb
  ) into kept
  from public.studio_cases as cases
  where cases.suite_id = p_suite_id and cases.owner = suite.owner and cases.removed_at is null;
  if octet_length(kept::text) > 20971520 then
    return null;
  end if;
  select coalesce(max(versions.version), 0) + 1 into number from public.studio_suite_versions as versions
  where versions.suite_id = p_suite_id;
  insert into public.studio_suite_versions (suite_id, owner, version, revision, name, settings, cases)
  values (p_suite_id, suite.owner, number, suite.revision, suite.name, suite.settings, kept);
  delete from public.studio_suite_versions as versions
  where versions.suite_id = p_suite_id and versions.version <= number - 100 and versions.version is distinct from p_spare
    and not exists (
      select 1 from public.studio_published as published
      where published.workflow_id = suite.workflow_id
        and published.suites @> jsonb_build_array(jsonb_build_object('id', p_suite_id, 'version', versions.version))
    );
  return number;
end;
$$;

select private.studio_grant_calls('public.studio_keep_suite_version(uuid, integer)', 'authenticated', 'service_role');

-- A deleted case goes for good with the last version that has it.
create or replace function public.studio_drop_removed_cases() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  delete from public.studio_cases as cases
  where cases.removed_at is not null and cases.suite_id in (select removed.suite_id from removed)
    and not exists (
      select 1 from (
        select (one ->> 'id')::uuid as id
        from public.studio_suite_versions as versions, jsonb_array_elements(versions.cases) as one
        where versions.suite_id in (select removed.suite_id from removed)
        offset 0
      ) as held
      where held.id = cases.id
    );
  return null;
end;
$$;

select private.studio_grant_calls('public.studio_drop_removed_cases()', 'service_role');

-- Deletes a case of the caller; one that a version has stays out of sight.
create or replace function public.studio_remove_case(p_case_id uuid) returns void
language plpgsql security invoker set search_path = ''
as $$
begin
  update public.studio_cases as cases set removed_at = now()
  where cases.id = p_case_id and cases.removed_at is null and exists (
    select 1 from public.studio_suite_versions as versions
    where versions.suite_id = cases.suite_id
      and versions.cases @> jsonb_build_array(jsonb_build_object('id', p_case_id))
  );
  if not found then
    delete from public.studio_cases as cases where cases.id = p_case_id and cases.removed_at is null;
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_remove_case(uuid)', 'authenticated', 'service_role');

-- Puts a suite back as it was in a version, recordings included, and keeps how it stood before as a version, whose number it gives.
-- Raises "suite_not_found" and "suite_version_not_found".
create or replace function public.studio_restore_suite_version(p_suite_id uuid, p_version integer) returns integer
language plpgsql security invoker set search_path = ''
as $$
declare
  wanted public.studio_suite_versions%rowtype;
  before integer;
begin
  before := public.studio_keep_suite_version(p_suite_id, p_version);
  select * into wanted from public.studio_suite_versions as versions
  where versions.suite_id = p_suite_id and versions.version = p_version;
  if not found then
    raise exception 'suite_version_not_found' using errcode = 'P0002';
  end if;
  update public.studio_suites as suites set name = wanted.name, settings = wanted.settings where suites.id = p_suite_id;
  -- All of them first: two cases may have swapped their names.
  update public.studio_cases as cases set removed_at = now()
  where cases.suite_id = p_suite_id and cases.removed_at is null;
  insert into public.studio_cases as cases (id, owner, suite_id, name, body)
  select (one ->> 'id')::uuid, wanted.owner, p_suite_id, one ->> 'name', one -> 'body'
  from jsonb_array_elements(wanted.cases) as one
  on conflict (id) do update set name = excluded.name, body = excluded.body, removed_at = null;
  return before;
end;
$$;

select private.studio_grant_calls('public.studio_restore_suite_version(uuid, integer)', 'authenticated', 'service_role');

-- Begins an evaluation and says what it measures. p_suite_revision is the suite's as it was read. Raises "suite_not_found",
-- "suite_changed" where somebody changed the suite since, and "suite_too_large".
create or replace function public.studio_begin_evaluation(
  p_suite_id uuid, p_digest text, p_suite_revision integer, p_workflow_revision integer, p_published_version integer
) returns jsonb
language plpgsql security invoker set search_path = ''
as $$
declare
  number integer := public.studio_keep_suite_version(p_suite_id);
  made public.studio_evaluations%rowtype;
begin
  if not exists (
    select 1 from public.studio_suites as suites where suites.id = p_suite_id and suites.revision = p_suite_revision
  ) then
    raise exception 'suite_changed' using errcode = '55000';
  end if;
  if number is null then
    raise exception 'suite_too_large' using errcode = '54000';
  end if;
  insert into public.studio_evaluations
    (owner, suite_id, digest, suite_version, workflow_revision, published_version)
  select suites.owner, p_suite_id, p_digest, number, p_workflow_revision, p_published_version
  from public.studio_suites as suites where suites.id = p_suite_id
  returning * into made;
  return to_jsonb(made);
end;
$$;

select private.studio_grant_calls('public.studio_begin_evaluation(uuid, text, integer, integer, integer)', 'authenticated', 'service_role');

-- A version of a workflow remembers its suites, whoever keeps it. What is too large to be kept is left out.
create or replace function public.studio_remember_suites() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  select coalesce(jsonb_agg(
    jsonb_build_object('id', kept.id, 'name', kept.name, 'version', kept.version, 'revision', kept.revision)
    order by kept.name, kept.id
  ) filter (where kept.version is not null), '[]'::jsonb) into new.suites
  from (
    select suites.id, suites.name, suites.revision, public.studio_keep_suite_version(suites.id) as version
    from public.studio_suites as suites
    where suites.workflow_id = new.workflow_id and suites.owner = new.owner
    limit 500
  ) as kept;
  return new;
end;
$$;

select private.studio_grant_calls('public.studio_remember_suites()', 'service_role');

create trigger studio_workflow_versions_remember_suites before insert on public.studio_workflow_versions
  for each row execute function public.studio_remember_suites();

create trigger studio_published_remember_suites before insert on public.studio_published
  for each row execute function public.studio_remember_suites();

create trigger studio_suites_count_revision before update of name, settings on public.studio_suites
  for each row when ((old.name, old.settings) is distinct from (new.name, new.settings))
  execute function public.studio_count_suite_revision();
create trigger studio_suites_touch before update of name, settings on public.studio_suites
  for each row execute function public.studio_touch_updated_at();

create trigger studio_cases_count_added after insert on public.studio_cases
  referencing new table as changed for each statement execute function private.studio_count_case_revision();
create trigger studio_cases_count_changed after update on public.studio_cases
  referencing new table as changed for each statement execute function private.studio_count_case_revision();
create trigger studio_cases_count_deleted after delete on public.studio_cases
  referencing old table as changed for each statement execute function private.studio_count_case_revision();

create trigger studio_evaluations_touch before update on public.studio_evaluations
  for each row execute function public.studio_touch_updated_at();

create trigger studio_suite_versions_drop_cases after delete on public.studio_suite_versions
  referencing old table as removed for each statement execute function public.studio_drop_removed_cases();

select private.studio_count_table('public.studio_suites', 'rows', 'octet_length(item.settings::text)');
select private.studio_count_table('public.studio_cases', 'rows',
  'octet_length(item.body::text) + coalesce(octet_length(item.cassette::text), 0)');
select private.studio_count_table('public.studio_evaluations', 'rows', 'coalesce(octet_length(item.summary::text), 0)');
select private.studio_count_table('public.studio_trials', 'rows', 'octet_length(item.result::text)');
select private.studio_count_table('public.studio_suite_versions', 'rows',
  'octet_length(item.settings::text) + octet_length(item.cases::text)');

reset check_function_bodies;
