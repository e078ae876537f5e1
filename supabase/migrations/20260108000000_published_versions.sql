-- Published versions: what runs on a server. A version never changes; two pointers per workflow, `live` and `staging`, say which
-- one runs. Users read their own rows; they are written by the functions below alone.

create table public.studio_publications (
  workflow_id uuid primary key,
  owner uuid not null references auth.users (id) on delete cascade,
  -- What programs and addresses call it. Unique in the whole studio, since addresses carry no owner.
  slug text not null unique check (slug ~ '^[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?$'),
  live integer,
  staging integer,
  -- { concurrent, perMinute, timeoutSeconds, runUsd, dayUsd, monthUsd }: each a number, or absent for no limit.
  limits jsonb not null default '{}'::jsonb
    check (jsonb_typeof(limits) = 'object' and octet_length(limits::text) <= 4096),
  -- Who is told of a failure: { workflowId?, url? }.
  on_failure jsonb check (jsonb_typeof(on_failure) = 'object' and octet_length(on_failure::text) <= 4096),
  updated_at timestamptz not null default now(),
  unique (workflow_id, owner),
  foreign key (workflow_id, owner) references public.studio_workflows (id, owner) on delete cascade
);

create index studio_publications_of_owner on public.studio_publications (owner);

create table public.studio_published (
  workflow_id uuid not null,
  owner uuid not null references auth.users (id) on delete cascade,
  -- Counts from 1.
  version integer not null check (version >= 1),
  document jsonb not null
    check (jsonb_typeof(document) = 'object' and octet_length(document::text) <= 5242880),
  -- The other workflows that it runs, as they were: { id: document }.
  workflows jsonb not null default '{}'::jsonb
    check (jsonb_typeof(workflows) = 'object' and octet_length(workflows::text) <= 20971520),
  -- SHA-256 of both, in hex: the same text is the same version.
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  -- The schedule triggers in it: [{ nodeId, cron, timeZone, missed, input }].
  schedules jsonb not null default '[]'::jsonb
    check (jsonb_typeof(schedules) = 'array' and octet_length(schedules::text) <= 262144),
  note text not null default '' check (char_length(note) <= 2000),
  -- The revision of the workflow that was published; null where it came from a file.
  revision integer,
  published_at timestamptz not null default now(),
  primary key (workflow_id, version),
  foreign key (workflow_id, owner) references public.studio_publications (workflow_id, owner) on delete cascade
);

create index studio_published_of_owner on public.studio_published (owner);

-- When a workflow starts by itself. Rows follow the version that is live; a person can only switch them.
create table public.studio_triggers (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null references auth.users (id) on delete cascade,
  workflow_id uuid not null,
  -- The trigger's node in the document.
  node_id text not null check (char_length(node_id) between 1 and 200),
  kind text not null check (kind in ('schedule')),
  -- Five fields: minute, hour, day of the month, month, day of the week.
  cron text not null check (char_length(cron) between 1 and 200),
  -- An IANA name, such as Europe/Berlin.
  time_zone text not null check (char_length(time_zone) between 1 and 100),
  -- What becomes of times at which no worker was there: none of them runs, or one run stands for all.
  missed text not null check (missed in ('skip', 'once')),
  input jsonb not null default '{}'::jsonb check (octet_length(input::text) <= 65536),
  enabled boolean not null default true,
  -- The time that comes next; null until a worker has worked it out.
  next_at timestamptz,
  last_at timestamptz,
  -- Why it cannot run, in words; null when it can.
  problem text check (char_length(problem) <= 1000),
  unique (workflow_id, node_id),
  foreign key (workflow_id, owner) references public.studio_publications (workflow_id, owner) on delete cascade
);

create index studio_triggers_due on public.studio_triggers (next_at) where enabled;
create index studio_triggers_of_owner on public.studio_triggers (owner);

do $$
declare
  name text;
begin
  foreach name in array array['studio_publications', 'studio_published', 'studio_triggers'] loop
    execute format('alter table public.%I enable row level security', name);
    execute format('revoke all on table public.%I from public, anon, authenticated', name);
    execute format('grant select on table public.%I to authenticated', name);
    execute format('grant all on table public.%I to service_role', name);
    execute format(
      'create policy %I on public.%I for select to authenticated using (owner = (select auth.uid()))',
      name || '_select', name);
  end loop;
end;
$$;

select private.studio_count_table('public.studio_publications', 'rows', 'octet_length(item.limits::text)');
select private.studio_count_table('public.studio_published', 'rows',
  'octet_length(item.document::text) + octet_length(item.workflows::text)');
select private.studio_count_table('public.studio_triggers', 'rows', 'octet_length(item.input::text)');

-- Puts the triggers of a workflow in line with the version that is live. What a person switched off stays off.
create function private.studio_follow_live(p_workflow_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  schedules jsonb;
  publication public.studio_publications%rowtype;
begin
  select * into publication from public.studio_publications as found where found.workflow_id = p_workflow_id;
  select version.schedules into schedules from public.studio_published as version
  where version.workflow_id = p_workflow_id and version.version = publication.live;
  schedules := coalesce(schedules, '[]'::jsonb);
  delete from public.studio_triggers as triggers
  where triggers.workflow_id = p_workflow_id
    and triggers.node_id not in (select one ->> 'nodeId' from jsonb_array_elements(schedules) as one);
  insert into public.studio_triggers as triggers (owner, workflow_id, node_id, kind, cron, time_zone, missed, input)
  select publication.owner, p_workflow_id, one ->> 'nodeId', 'schedule', one ->> 'cron', one ->> 'timeZone',
    one ->> 'missed', coalesce(one -> 'input', '{}'::jsonb)
  from jsonb_array_elements(schedules) as one
  on conflict (workflow_id, node_id) do update set
    next_at = case
      when triggers.cron = excluded.cron and triggers.time_zone = excluded.time_zone then triggers.next_at end,
    problem = null, cron = excluded.cron, time_zone = excluded.time_zone, missed = excluded.missed,
    input = excluded.input;
end;
$$;

-- Publishes a document of the caller and gives { version, slug, unchanged }. The document that was published last becomes no
-- new version (`unchanged`). p_target is 'live', 'staging' or 'none'. Raises "workflow_not_found" and, where p_slug belongs to
-- another workflow, "slug_taken".
create function public.studio_publish(
  p_workflow_id uuid, p_document jsonb, p_workflows jsonb, p_hash text, p_schedules jsonb, p_slug text, p_note text,
  p_revision integer, p_target text
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  publication public.studio_publications%rowtype;
  latest public.studio_published%rowtype;
  number integer;
begin
  perform 1 from public.studio_workflows as workflows
  where workflows.id = p_workflow_id and workflows.owner = caller and workflows.deleted_at is null
  for update;
  if not found then
    raise exception 'workflow_not_found' using errcode = 'P0002';
  end if;
  if p_target not in ('live', 'staging', 'none') then
    raise exception 'unknown_target' using errcode = '22023';
  end if;
  begin
    insert into public.studio_publications as own (workflow_id, owner, slug) values (p_workflow_id, caller, p_slug)
    on conflict (workflow_id) do update set slug = excluded.slug, updated_at = now()
    returning * into publication;
  exception when unique_violation then
    raise exception 'slug_taken' using errcode = '23505';
  end;
  select * into latest from public.studio_published as version
  where version.workflow_id = p_workflow_id and version.owner = caller order by version.version desc limit 1;
  if latest.hash = p_hash then
    number := latest.version;
  else
    number := coalesce(latest.version, 0) + 1;
    insert into public.studio_published
      (workflow_id, owner, version, document, workflows, hash, schedules, note, revision)
    values (
      p_workflow_id, caller, number, p_document, coalesce(p_workflows, '{}'::jsonb), p_hash,
      coalesce(p_schedules, '[]'::jsonb), coalesce(p_note, ''), p_revision
    );
  end if;
  if p_target <> 'none' then
    perform public.studio_point(p_workflow_id, p_target, number);
  end if;
  return jsonb_build_object('version', number, 'slug', publication.slug, 'unchanged', latest.hash is not distinct from p_hash);
end;
$$;

-- Lets `live` or `staging` point to a version that there is; null points nowhere. Raises "version_not_found".
create function public.studio_point(p_workflow_id uuid, p_target text, p_version integer) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  if p_target not in ('live', 'staging') then
    raise exception 'unknown_target' using errcode = '22023';
  end if;
  if p_version is not null and not exists (
    select 1 from public.studio_published as version
    where version.workflow_id = p_workflow_id and version.version = p_version and version.owner = caller
  ) then
    raise exception 'version_not_found' using errcode = 'P0002';
  end if;
  update public.studio_publications as own set
    live = case when p_target = 'live' then p_version else own.live end,
    staging = case when p_target = 'staging' then p_version else own.staging end,
    updated_at = now()
  where own.workflow_id = p_workflow_id and own.owner = caller;
  if not found then
    raise exception 'version_not_found' using errcode = 'P0002';
  end if;
  if p_target = 'live' then
    perform private.studio_follow_live(p_workflow_id);
  end if;
end;
$$;

-- Changes what a publication may take and who is told when it fails.
create function public.studio_set_publication(p_workflow_id uuid, p_limits jsonb, p_on_failure jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  update public.studio_publications as own set
    limits = coalesce(p_limits, '{}'::jsonb), on_failure = p_on_failure, updated_at = now()
  where own.workflow_id = p_workflow_id and own.owner = caller;
  if not found then
    raise exception 'version_not_found' using errcode = 'P0002';
  end if;
end;
$$;

-- Switches a trigger of the caller. One that is switched on waits for its next time; what it missed is gone.
create function public.studio_switch_trigger(p_trigger_id uuid, p_enabled boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  update public.studio_triggers as own set enabled = p_enabled, next_at = null, problem = null
  where own.id = p_trigger_id and own.owner = caller;
  if not found then
    raise exception 'trigger_not_found' using errcode = 'P0002';
  end if;
end;
$$;

do $$
declare
  signature text;
begin
  revoke all on function private.studio_follow_live(uuid) from public, anon, authenticated, service_role;
  foreach signature in array array[
    'studio_publish(uuid, jsonb, jsonb, text, jsonb, text, text, integer, text)',
    'studio_point(uuid, text, integer)',
    'studio_set_publication(uuid, jsonb, jsonb)',
    'studio_switch_trigger(uuid, boolean)'
  ] loop
    execute format('revoke all on function public.%s from public, anon, authenticated', signature);
    execute format('grant execute on function public.%s to authenticated, service_role', signature);
  end loop;
end;
$$;
