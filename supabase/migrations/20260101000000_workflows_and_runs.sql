-- Workflows, their runs, the runs' events and the conversations that agents remember.
-- Every table belongs to one owner; row level security shows a user their own rows and nothing else.
-- Children name their parent by (id, owner), so that a row can never hang on someone else's parent.

create function public.studio_stamp_workflow() returns trigger
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

create function public.studio_touch_updated_at() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end;
$$;

revoke all on function public.studio_stamp_workflow() from public, anon, authenticated;
revoke all on function public.studio_touch_updated_at() from public, anon, authenticated;

-- Workflows ------------------------------------------------------------------------------------

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
  unique (id, owner)
);

create index studio_workflows_recent on public.studio_workflows (owner, updated_at desc) where deleted_at is null;

create trigger studio_workflows_stamp before insert or update on public.studio_workflows
  for each row execute function public.studio_stamp_workflow();

alter table public.studio_workflows enable row level security;
revoke all on table public.studio_workflows from public, anon, authenticated;
grant select, insert, delete on table public.studio_workflows to authenticated;
grant update (id, name, document, revision, deleted_at) on table public.studio_workflows to authenticated;
grant all on table public.studio_workflows to service_role;

create policy studio_workflows_select on public.studio_workflows
  for select to authenticated using (owner = (select auth.uid()));
create policy studio_workflows_insert on public.studio_workflows
  for insert to authenticated with check (owner = (select auth.uid()));
create policy studio_workflows_update on public.studio_workflows
  for update to authenticated using (owner = (select auth.uid())) with check (owner = (select auth.uid()));
create policy studio_workflows_delete on public.studio_workflows
  for delete to authenticated using (owner = (select auth.uid()));

-- Runs -----------------------------------------------------------------------------------------

create table public.studio_runs (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
  workflow_id uuid not null,
  status text not null default 'running'
    check (status in ('running', 'completed', 'failed', 'cancelled', 'interrupted')),
  input jsonb,
  output jsonb,
  error jsonb,
  -- The workflow as it was when the run started, so that an old run can be shown on its own canvas.
  document jsonb check (octet_length(document::text) <= 5242880),
  total_tokens integer check (total_tokens >= 0),
  cost_usd numeric check (cost_usd >= 0),
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  updated_at timestamptz not null default now(),
  unique (id, owner),
  foreign key (workflow_id, owner) references public.studio_workflows (id, owner) on delete cascade
);

create index studio_runs_of_workflow on public.studio_runs (workflow_id, started_at desc);
create index studio_runs_of_owner on public.studio_runs (owner, started_at desc);

create trigger studio_runs_touch before update on public.studio_runs
  for each row execute function public.studio_touch_updated_at();

alter table public.studio_runs enable row level security;
revoke all on table public.studio_runs from public, anon, authenticated;
grant select, insert, delete on table public.studio_runs to authenticated;
grant update (id, workflow_id, status, input, output, error, document, total_tokens, cost_usd, started_at, ended_at)
  on table public.studio_runs to authenticated;
grant all on table public.studio_runs to service_role;

create policy studio_runs_select on public.studio_runs
  for select to authenticated using (owner = (select auth.uid()));
create policy studio_runs_insert on public.studio_runs
  for insert to authenticated with check (owner = (select auth.uid()));
create policy studio_runs_update on public.studio_runs
  for update to authenticated using (owner = (select auth.uid())) with check (owner = (select auth.uid()));
create policy studio_runs_delete on public.studio_runs
  for delete to authenticated using (owner = (select auth.uid()));

-- Run events: written in batches, never changed ---------------------------------------------------

create table public.studio_run_events (
  run_id uuid not null,
  seq integer not null check (seq >= 0),
  owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
  at timestamptz not null,
  type text not null check (char_length(type) between 1 and 100),
  event jsonb not null check (jsonb_typeof(event) = 'object'),
  primary key (run_id, seq),
  foreign key (run_id, owner) references public.studio_runs (id, owner) on delete cascade
);

create index studio_run_events_of_owner on public.studio_run_events (owner);

alter table public.studio_run_events enable row level security;
revoke all on table public.studio_run_events from public, anon, authenticated;
grant select, insert on table public.studio_run_events to authenticated;
grant all on table public.studio_run_events to service_role;

create policy studio_run_events_select on public.studio_run_events
  for select to authenticated using (owner = (select auth.uid()));
create policy studio_run_events_insert on public.studio_run_events
  for insert to authenticated with check (owner = (select auth.uid()));

-- Agent memory -----------------------------------------------------------------------------------

create table public.studio_agent_memory (
  -- The identity gives the order of a conversation; clocks of several tabs do not.
  id bigint generated always as identity primary key,
  owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
  -- Null: shared by all workflows of the owner.
  workflow_id uuid,
  session_id text not null check (char_length(session_id) between 1 and 500),
  role text not null check (role in ('system', 'user', 'assistant', 'tool')),
  content text not null default '',
  message jsonb not null check (jsonb_typeof(message) = 'object'),
  created_at timestamptz not null default now(),
  foreign key (workflow_id, owner) references public.studio_workflows (id, owner) on delete cascade
);

create index studio_agent_memory_of_session
  on public.studio_agent_memory (owner, workflow_id, session_id, id);
create index studio_agent_memory_of_workflow on public.studio_agent_memory (workflow_id);

alter table public.studio_agent_memory enable row level security;
revoke all on table public.studio_agent_memory from public, anon, authenticated;
grant select, insert, delete on table public.studio_agent_memory to authenticated;
grant update (role, content, message) on table public.studio_agent_memory to authenticated;
grant all on table public.studio_agent_memory to service_role;

create policy studio_agent_memory_select on public.studio_agent_memory
  for select to authenticated using (owner = (select auth.uid()));
create policy studio_agent_memory_insert on public.studio_agent_memory
  for insert to authenticated with check (owner = (select auth.uid()));
create policy studio_agent_memory_update on public.studio_agent_memory
  for update to authenticated using (owner = (select auth.uid())) with check (owner = (select auth.uid()));
create policy studio_agent_memory_delete on public.studio_agent_memory
  for delete to authenticated using (owner = (select auth.uid()));
