-- Tests of workflows: suites with cases, and evaluations with the result of each trial.

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
  unique (id, owner),
  foreign key (workflow_id, owner) references public.studio_workflows (id, owner) on delete cascade
);
create index studio_suites_of_owner on public.studio_suites (owner, updated_at desc);
create index studio_suites_of_workflow on public.studio_suites (workflow_id, owner);

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
  unique (suite_id, name),
  foreign key (suite_id, owner) references public.studio_suites (id, owner) on delete cascade
);
create index studio_cases_of_suite on public.studio_cases (suite_id, owner);
create index studio_cases_of_owner on public.studio_cases (owner);

create table public.studio_evaluations (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
  suite_id uuid not null,
  -- What was tried, as a digest: an evaluation of the same goes on where it was left.
  digest text not null check (char_length(digest) <= 200),
  -- `running` until there is a summary; one whose tab went away stays so, and can be gone on with.
  status text not null default 'running'
    check (status in ('running', 'passed', 'failed', 'too-little-evidence', 'not-run')),
  -- The result without its trials.
  summary jsonb check (jsonb_typeof(summary) = 'object' and octet_length(summary::text) <= 5242880),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, owner),
  foreign key (suite_id, owner) references public.studio_suites (id, owner) on delete cascade
);
create index studio_evaluations_of_suite on public.studio_evaluations (suite_id, owner, created_at desc);
create index studio_evaluations_of_owner on public.studio_evaluations (owner);

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

create trigger studio_suites_touch before update on public.studio_suites
  for each row execute function public.studio_touch_updated_at();
create trigger studio_evaluations_touch before update on public.studio_evaluations
  for each row execute function public.studio_touch_updated_at();

do $$
declare
  name text;
begin
  foreach name in array array['studio_suites', 'studio_cases', 'studio_evaluations', 'studio_trials'] loop
    execute format('alter table public.%I enable row level security', name);
    execute format('revoke all on table public.%I from public, anon, authenticated', name);
    execute format('grant select, insert, delete on table public.%I to authenticated', name);
    execute format('grant all on table public.%I to service_role', name);
    execute format(
      'create policy %I on public.%I for select to authenticated using (owner = (select auth.uid()))',
      name || '_select', name);
    execute format(
      'create policy %I on public.%I for insert to authenticated with check (owner = (select auth.uid()))',
      name || '_insert', name);
    execute format(
      'create policy %I on public.%I for update to authenticated using (owner = (select auth.uid()))
       with check (owner = (select auth.uid()))',
      name || '_update', name);
    execute format(
      'create policy %I on public.%I for delete to authenticated using (owner = (select auth.uid()))',
      name || '_delete', name);
  end loop;
end;
$$;
grant update (name, settings) on table public.studio_suites to authenticated;
grant update (name, body, cassette) on table public.studio_cases to authenticated;
grant update (status, summary) on table public.studio_evaluations to authenticated;
grant update (result) on table public.studio_trials to authenticated;

select private.studio_count_table('public.studio_suites', 'rows', 'octet_length(item.settings::text)');
select private.studio_count_table('public.studio_cases', 'rows',
  'octet_length(item.body::text) + coalesce(octet_length(item.cassette::text), 0)');
select private.studio_count_table('public.studio_evaluations', 'rows', 'coalesce(octet_length(item.summary::text), 0)');
select private.studio_count_table('public.studio_trials', 'rows', 'octet_length(item.result::text)');

-- The caller's suites, the latest change first: [{ id, name, workflowId, workflowName, cases, lastStatus, lastAt }].
create function public.studio_list_suites(p_limit integer) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  select coalesce(jsonb_agg(to_jsonb(page) order by page."updatedAt" desc, page.id), '[]'::jsonb)
  from (
    select suites.id, suites.name, suites.workflow_id as "workflowId", workflows.name as "workflowName",
      suites.updated_at as "updatedAt",
      (select count(*) from public.studio_cases as cases where cases.suite_id = suites.id) as cases,
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
revoke all on function public.studio_list_suites(integer) from public, anon;
grant execute on function public.studio_list_suites(integer) to authenticated;
