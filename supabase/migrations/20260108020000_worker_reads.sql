-- What a worker reads to go on with a run, and what an operator's commands ask.

-- A part of a run's log, in order. p_source is the run itself, or another run of the same owner whose recording it goes along.
create function private.studio_run_log(p_run_id uuid, p_source uuid, p_from integer, p_limit integer)
returns table (event jsonb)
language sql stable security definer set search_path = ''
as $$
  select events.event from public.studio_run_events as events
  where events.run_id = p_source and events.seq >= p_from
    and events.owner = (select runs.owner from public.studio_runs as runs where runs.id = p_run_id)
  order by events.seq
  limit p_limit;
$$;

-- What another run of the same owner ran: { document, input, status }; no row where there is no such run.
create function private.studio_run_source(p_run_id uuid, p_source uuid)
returns table (document jsonb, input jsonb, status text)
language sql stable security definer set search_path = ''
as $$
  select coalesce(versions.document, source.document), source.input -> 'value', source.status
  from public.studio_runs as source
  left join public.studio_published as versions
    on versions.workflow_id = source.workflow_id and versions.version = source.published_version
  where source.id = p_source
    and source.owner = (select runs.owner from public.studio_runs as runs where runs.id = p_run_id);
$$;

-- What a run has asked, and what was decided.
create function private.studio_run_answers(p_run_id uuid) returns table (call_id text, decision jsonb, expires_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select waits.call_id, waits.decision, waits.expires_at
  from public.studio_run_waits as waits where waits.run_id = p_run_id;
$$;

-- The accounts of this studio, the oldest first: for commands of its operator, who holds the service role's key.
create function public.studio_accounts() returns table (id uuid, email text, created_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select users.id, users.email::text, users.created_at from auth.users as users order by users.created_at, users.id;
$$;
revoke all on function public.studio_accounts() from public, anon, authenticated;
grant execute on function public.studio_accounts() to service_role;

do $$
declare
  signature text;
begin
  foreach signature in array array[
    'studio_run_log(uuid, uuid, integer, integer)',
    'studio_run_source(uuid, uuid)',
    'studio_run_answers(uuid)'
  ] loop
    execute format('revoke all on function private.%s from public, anon, authenticated, service_role', signature);
    execute format('grant execute on function private.%s to studio_worker', signature);
  end loop;
end;
$$;
