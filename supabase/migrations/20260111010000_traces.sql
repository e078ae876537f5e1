-- Traces of runs: a publication may name a collector, which gets every finished run on workers as OTLP. What is to be sent waits here
-- until the edge function `send-traces` has sent it; workers call that function, again and again with longer pauses.

create table private.studio_collectors (
  workflow_id uuid primary key references public.studio_publications (workflow_id) on delete cascade,
  url text not null check (url ~ '^https?://' and char_length(url) <= 2000),
  -- { name: value }. Values are secrets: they are never given back.
  headers jsonb not null default '{}' check (jsonb_typeof(headers) = 'object' and octet_length(headers::text) <= 16384),
  -- Whether what was said is sent, too.
  content boolean not null default false,
  sent_at timestamptz,
  -- Why the last runs were not sent, in words.
  problem text check (char_length(problem) <= 1000)
);

create table private.studio_trace_exports (
  run_id uuid primary key references public.studio_runs (id) on delete cascade,
  owner uuid not null references auth.users (id) on delete cascade,
  workflow_id uuid not null references private.studio_collectors (workflow_id) on delete cascade,
  attempts integer not null default 0,
  next_at timestamptz not null default now(),
  -- Which worker has it sent, while it does.
  worker text
);
create index studio_trace_exports_due on private.studio_trace_exports (next_at);
create index studio_trace_exports_of_workflow on private.studio_trace_exports (workflow_id, next_at);
create index studio_trace_exports_of_owner on private.studio_trace_exports (owner);

alter table private.studio_collectors enable row level security;
alter table private.studio_trace_exports enable row level security;
revoke all on table private.studio_collectors from public, anon, authenticated, service_role;
revoke all on table private.studio_trace_exports from public, anon, authenticated, service_role;

-- Traces must not keep a run from ending.
create function private.studio_queue_trace() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.studio_trace_exports (run_id, owner, workflow_id)
  select new.id, new.owner, collectors.workflow_id from private.studio_collectors as collectors
  where collectors.workflow_id = new.workflow_id
  on conflict (run_id) do nothing;
  return null;
exception when others then
  raise warning 'A trace was not queued: %', sqlerrm;
  return null;
end;
$$;

create trigger studio_runs_queue_trace after update of status on public.studio_runs
  for each row
  when (
    new.source <> 'editor' and old.status in ('queued', 'running', 'waiting')
    and new.status in ('completed', 'failed', 'cancelled')
  )
  execute function private.studio_queue_trace();

-- The collector of the caller's publication: { url, headerNames, content, sentAt, problem, waiting }; null where there is none.
create function public.studio_collector(p_workflow_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  return (
    select jsonb_build_object(
      'url', collectors.url, 'content', collectors.content, 'sentAt', collectors.sent_at, 'problem', collectors.problem,
      'headerNames', (
        select coalesce(jsonb_agg(names.name order by names.name), '[]'::jsonb)
        from jsonb_object_keys(collectors.headers) as names(name)
      ),
      'waiting', (
        select count(*) from private.studio_trace_exports as exports where exports.workflow_id = own.workflow_id
      ))
    from public.studio_publications as own
    join private.studio_collectors as collectors on collectors.workflow_id = own.workflow_id
    where own.workflow_id = p_workflow_id and own.owner = caller
  );
end;
$$;

-- Names the collector of the caller's publication; null as its address removes it, and what waits. p_headers null keeps the headers,
-- unless the address changes: secrets for one server are not sent to another. Raises "not_published".
create function public.studio_save_collector(p_workflow_id uuid, p_url text, p_headers jsonb, p_content boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  perform 1 from public.studio_publications as own where own.workflow_id = p_workflow_id and own.owner = caller;
  if not found then
    raise exception 'not_published' using errcode = 'P0002';
  end if;
  if p_url is null then
    delete from private.studio_collectors as stored where stored.workflow_id = p_workflow_id;
    return;
  end if;
  insert into private.studio_collectors as stored (workflow_id, url, headers, content)
  values (p_workflow_id, p_url, coalesce(p_headers, '{}'::jsonb), p_content)
  on conflict (workflow_id) do update set
    url = excluded.url, content = excluded.content, problem = null,
    headers = case when p_headers is null and stored.url = excluded.url then stored.headers else excluded.headers end;
end;
$$;

-- Takes runs of one publication whose traces are due, those that have waited longest: { owner, workflowId, runs }; null when none
-- is. They come due again soon, unless somebody says what became of them.
create function private.studio_claim_traces(p_worker text, p_most integer) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  first record;
  claimed jsonb;
begin
  select exports.workflow_id, exports.owner into first from private.studio_trace_exports as exports
  where exports.next_at <= now() order by exports.next_at limit 1 for update skip locked;
  if not found then
    return null;
  end if;
  with due as (
    select exports.run_id from private.studio_trace_exports as exports
    where exports.workflow_id = first.workflow_id and exports.next_at <= now()
    order by exports.next_at limit p_most for update skip locked
  ), taken as (
    update private.studio_trace_exports as exports set
      attempts = exports.attempts + 1, next_at = now() + interval '2 minutes', worker = p_worker
    from due where due.run_id = exports.run_id
    returning exports.run_id
  )
  select jsonb_agg(taken.run_id) into claimed from taken;
  return jsonb_build_object('owner', first.owner, 'workflowId', first.workflow_id, 'runs', coalesce(claimed, '[]'::jsonb));
end;
$$;

-- Where an account's traces go: { url, headers, content }; null where no collector is named.
create function public.studio_read_collector(p_workflow_id uuid, p_owner uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('url', collectors.url, 'headers', collectors.headers, 'content', collectors.content)
  from private.studio_collectors as collectors
  join public.studio_publications as publications on publications.workflow_id = collectors.workflow_id
  where collectors.workflow_id = p_workflow_id and publications.owner = p_owner;
$$;

-- What a run's trace is made of, as it is stored: { events, titles }, the titles of its nodes by id; null for a run of which no trace
-- waits. Streamed pieces are left out, and without p_content what was said.
create function public.studio_read_trace(p_run_id uuid, p_workflow_id uuid, p_owner uuid, p_content boolean) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'events', (
      select coalesce(jsonb_agg(
        case when p_content then events.event
          when events.type = 'model-response' then events.event - array['message', 'input', 'output', 'text']
          else events.event - array['messages', 'tools', 'input', 'output', 'text', 'data', 'preview'] end
        order by events.seq), '[]'::jsonb)
      from (
        select stored.seq, stored.type, stored.event from public.studio_run_events as stored
        where stored.run_id = runs.id and stored.type not in ('text-delta', 'reasoning-delta')
        order by stored.seq limit 20000
      ) as events
    ),
    'titles', (
      select coalesce(jsonb_object_agg(nodes.key, nodes.value ->> 'title'), '{}'::jsonb)
      from public.studio_published as versions, jsonb_each(versions.document -> 'nodes') as nodes
      where versions.workflow_id = runs.workflow_id and versions.version = runs.published_version
    )
  )
  from public.studio_runs as runs
  join private.studio_trace_exports as exports on exports.run_id = runs.id
  where runs.id = p_run_id and runs.workflow_id = p_workflow_id and runs.owner = p_owner;
$$;

-- Says what became of traces: sent, or why not. With p_again they are sent again after 30 seconds, and each time after four times as
-- long, six times in all: for about three hours.
create function public.studio_end_traces(p_workflow_id uuid, p_owner uuid, p_runs jsonb, p_problem text, p_again boolean)
returns void
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.studio_trace_exports as exports
  where exports.workflow_id = p_workflow_id and exports.owner = p_owner and p_runs ? exports.run_id::text
    and (p_problem is null or not p_again or exports.attempts >= 6);
  update private.studio_trace_exports as exports set
    worker = null, next_at = now() + interval '30 seconds' * (4 ^ (greatest(exports.attempts, 1) - 1))
  where exports.workflow_id = p_workflow_id and exports.owner = p_owner and p_runs ? exports.run_id::text;
  update private.studio_collectors as collectors set
    sent_at = case when p_problem is null then now() else collectors.sent_at end, problem = left(p_problem, 1000)
  from public.studio_publications as publications
  where collectors.workflow_id = p_workflow_id and publications.workflow_id = p_workflow_id
    and publications.owner = p_owner;
end;
$$;

do $$
declare
  signature text;
begin
  execute 'revoke all on function private.studio_queue_trace() from public, anon, authenticated, service_role';
  execute 'revoke all on function private.studio_claim_traces(text, integer) from public, anon, authenticated, service_role';
  execute 'grant execute on function private.studio_claim_traces(text, integer) to studio_worker';
  foreach signature in array array['studio_collector(uuid)', 'studio_save_collector(uuid, text, jsonb, boolean)'] loop
    execute format('revoke all on function public.%s from public, anon, authenticated', signature);
    execute format('grant execute on function public.%s to authenticated, service_role', signature);
  end loop;
  foreach signature in array array[
    'studio_read_collector(uuid, uuid)',
    'studio_read_trace(uuid, uuid, uuid, boolean)',
    'studio_end_traces(uuid, uuid, jsonb, text, boolean)'
  ] loop
    execute format('revoke all on function public.%s from public, anon, authenticated', signature);
    execute format('grant execute on function public.%s to service_role', signature);
  end loop;
end;
$$;
