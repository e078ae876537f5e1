-- Versions of suites. Whoever reads a result, or a version of a workflow, has to find the suite as it was then: what was
-- expected, of which cases. So a suite is kept as a version whenever it is run, and whenever a version of its workflow is kept or
-- published; once for each state, since the same state is the same version.
-- A version holds name, settings and cases, but no recordings, which may be large: a recording belongs to its case for good, and a
-- case that is deleted stays out of sight until no version has it any more.

alter table public.studio_suites add column revision integer not null default 1;

alter table public.studio_cases add column removed_at timestamptz;
alter table public.studio_cases drop constraint studio_cases_suite_id_name_key;
create unique index studio_cases_named on public.studio_cases (suite_id, name) where removed_at is null;
revoke update (cassette) on table public.studio_cases from authenticated;
grant update (removed_at) on table public.studio_cases to authenticated;

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

alter table public.studio_suite_versions enable row level security;
revoke all on table public.studio_suite_versions from public, anon, authenticated;
grant select, insert, delete on table public.studio_suite_versions to authenticated;
grant all on table public.studio_suite_versions to service_role;
create policy studio_suite_versions_select on public.studio_suite_versions
  for select to authenticated using (owner = (select auth.uid()));
create policy studio_suite_versions_insert on public.studio_suite_versions
  for insert to authenticated with check (owner = (select auth.uid()));
create policy studio_suite_versions_delete on public.studio_suite_versions
  for delete to authenticated using (owner = (select auth.uid()));

select private.studio_count_table('public.studio_suite_versions', 'rows',
  'octet_length(item.settings::text) + octet_length(item.cases::text)');

-- The suites of the workflow as they were: [{ id, name, version, revision }].
alter table public.studio_workflow_versions add column suites jsonb not null default '[]'::jsonb
  check (jsonb_typeof(suites) = 'array' and octet_length(suites::text) <= 1048576);
alter table public.studio_published add column suites jsonb not null default '[]'::jsonb
  check (jsonb_typeof(suites) = 'array' and octet_length(suites::text) <= 1048576);

-- What was measured: a version of the suite, and the workflow as it was saved or published; neither where it was a proposal that
-- nobody saved. Null, too, in evaluations of before this migration.
alter table public.studio_evaluations add column suite_version integer;
alter table public.studio_evaluations add column workflow_revision integer;
alter table public.studio_evaluations add column published_version integer;

create function public.studio_count_suite_revision() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  new.revision := old.revision + 1;
  return new;
end;
$$;

create trigger studio_suites_count_revision before update of name, settings on public.studio_suites
  for each row when ((old.name, old.settings) is distinct from (new.name, new.settings))
  execute function public.studio_count_suite_revision();

-- Runs as its owner, since clients may not write a suite's revision. The rows are those that the caller has just changed.
create function private.studio_count_case_revision() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.studio_suites set revision = revision + 1, updated_at = now()
  where id in (select changed.suite_id from changed);
  return null;
end;
$$;

create trigger studio_cases_count_added after insert on public.studio_cases
  referencing new table as changed for each statement execute function private.studio_count_case_revision();
create trigger studio_cases_count_changed after update on public.studio_cases
  referencing new table as changed for each statement execute function private.studio_count_case_revision();
create trigger studio_cases_count_deleted after delete on public.studio_cases
  referencing old table as changed for each statement execute function private.studio_count_case_revision();

-- Keeps a suite as a version, unless one has this state, and gives its number; null where its cases are too large for that. Of versions
-- that no published workflow names, the last hundred stay, and p_spare. Raises "suite_not_found".
create function public.studio_keep_suite_version(p_suite_id uuid, p_spare integer default null) returns integer
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

-- A deleted case goes for good with the last version that has it.
create function public.studio_drop_removed_cases() returns trigger
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

create trigger studio_suite_versions_drop_cases after delete on public.studio_suite_versions
  referencing old table as removed for each statement execute function public.studio_drop_removed_cases();

-- Deletes a case of the caller; one that a version has stays out of sight.
create function public.studio_remove_case(p_case_id uuid) returns void
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

-- Puts a suite back as it was in a version, recordings included, and keeps how it stood before as a version, whose number it gives.
-- Raises "suite_not_found" and "suite_version_not_found".
create function public.studio_restore_suite_version(p_suite_id uuid, p_version integer) returns integer
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

-- Begins an evaluation and says what it measures. p_suite_revision is the suite's as it was read. Raises "suite_not_found",
-- "suite_changed" where somebody changed the suite since, and "suite_too_large".
create function public.studio_begin_evaluation(
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

-- A version of a workflow remembers its suites, whoever keeps it. What is too large to be kept is left out.
create function public.studio_remember_suites() returns trigger
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

create trigger studio_workflow_versions_remember_suites before insert on public.studio_workflow_versions
  for each row execute function public.studio_remember_suites();
create trigger studio_published_remember_suites before insert on public.studio_published
  for each row execute function public.studio_remember_suites();

-- As before, without the cases that were deleted.
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

do $$
declare
  signature text;
begin
  revoke all on function private.studio_count_case_revision() from public, anon, authenticated, service_role;
  foreach signature in array array[
    'studio_count_suite_revision()', 'studio_drop_removed_cases()', 'studio_remember_suites()'
  ] loop
    execute format('revoke all on function public.%s from public, anon, authenticated', signature);
  end loop;
  foreach signature in array array[
    'studio_keep_suite_version(uuid, integer)',
    'studio_remove_case(uuid)',
    'studio_restore_suite_version(uuid, integer)',
    'studio_begin_evaluation(uuid, text, integer, integer, integer)'
  ] loop
    execute format('revoke all on function public.%s from public, anon, authenticated', signature);
    execute format('grant execute on function public.%s to authenticated, service_role', signature);
  end loop;
end;
$$;
