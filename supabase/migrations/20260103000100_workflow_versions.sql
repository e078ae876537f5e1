-- Versions of workflows: how a document stood before it was changed.
-- The database keeps one by itself at most every ten minutes of editing, always of the state that is about to be
-- overwritten; clients add named ones and one before a restore. Of those without a name the last hundred stay.

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
  foreign key (workflow_id, owner) references public.studio_workflows (id, owner) on delete cascade
);

create index studio_workflow_versions_of_workflow on public.studio_workflow_versions (workflow_id, seq desc);
create index studio_workflow_versions_of_owner on public.studio_workflow_versions (owner);

alter table public.studio_workflow_versions enable row level security;
revoke all on table public.studio_workflow_versions from public, anon, authenticated;
grant select, insert, delete on table public.studio_workflow_versions to authenticated;
grant update (name) on table public.studio_workflow_versions to authenticated;
grant all on table public.studio_workflow_versions to service_role;

create policy studio_workflow_versions_select on public.studio_workflow_versions
  for select to authenticated using (owner = (select auth.uid()));
create policy studio_workflow_versions_insert on public.studio_workflow_versions
  for insert to authenticated with check (owner = (select auth.uid()));
create policy studio_workflow_versions_update on public.studio_workflow_versions
  for update to authenticated using (owner = (select auth.uid())) with check (owner = (select auth.uid()));
create policy studio_workflow_versions_delete on public.studio_workflow_versions
  for delete to authenticated using (owner = (select auth.uid()));

-- Keeps what an update overwrites, unless a version of the last ten minutes is there. Runs with the rights of whoever
-- updates, so that row level security holds here too.
create function public.studio_keep_workflow_version() returns trigger
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

-- The hundred-and-first version without a name goes when a new one comes.
create function public.studio_prune_workflow_versions() returns trigger
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

revoke all on function public.studio_keep_workflow_version() from public, anon, authenticated;
revoke all on function public.studio_prune_workflow_versions() from public, anon, authenticated;

create trigger studio_workflows_keep_version after update of document on public.studio_workflows
  for each row when (old.document is distinct from new.document and old.document -> 'nodes' <> '{}'::jsonb)
  execute function public.studio_keep_workflow_version();
create trigger studio_workflow_versions_prune after insert on public.studio_workflow_versions
  for each row execute function public.studio_prune_workflow_versions();
