-- Whose words the input of a run holds. What callers of a door send counts as written by strangers, unless the owner has said of
-- the door that its callers are trusted (`callersTrusted` in its config).

-- Versions published before this are run as they were: only chat pages tell their visitors from the owner.
alter table public.studio_published add column marks_callers boolean not null default false;
alter table public.studio_published alter column marks_callers set default true;

-- Null for a run that its owner started, and for one of such an older version. Set by a trigger alone.
alter table public.studio_runs add column callers text check (callers in ('untrusted', 'trusted'));

-- Who gave the input of a run that is to be stored: 'untrusted', 'trusted' or null. Every source has its rule, as in
-- src/engine/trust/run-sources.ts; one without a rule starts nothing.
create function private.studio_callers_of(p_run public.studio_runs) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  before record;
  marks boolean;
begin
  -- A run that goes on with another's recording holds what that one was given.
  if p_run.forked_from ->> 'runId' is not null then
    select runs.callers, runs.source into before from public.studio_runs as runs
    where runs.id::text = p_run.forked_from ->> 'runId' and runs.owner = p_run.owner;
    if before.callers is not null or before.source = 'chat' then
      return coalesce(before.callers, 'untrusted');
    end if;
  end if;
  if p_run.source in ('editor', 'manual', 'schedule') then
    return null;
  end if;
  select versions.marks_callers into marks from public.studio_published as versions
  where versions.workflow_id = p_run.workflow_id and versions.version = p_run.published_version;
  case p_run.source
    when 'failure' then
      -- An error may quote anything that the failed run has read.
      return case when marks and exists (
        select 1 from public.studio_runs as failed
        where failed.owner = p_run.owner and failed.id::text = p_run.input #>> '{value,run,id}' and (
          failed.callers = 'untrusted' or exists (
            select 1 from public.studio_run_events as events
            where events.run_id = failed.id and events.type in ('run-start', 'run-end') and events.event ? 'untrusted'))
      ) then 'untrusted' end;
    when 'api', 'webhook', 'chat', 'mcp' then
      if exists (
        select 1 from public.studio_doors as doors
        where doors.workflow_id = p_run.workflow_id and doors.config -> 'callersTrusted' = 'true'::jsonb
          and doors.kind = case p_run.source when 'webhook' then 'hook' else p_run.source end
      ) then
        return 'trusted';
      end if;
      return case when marks or p_run.source = 'chat' then 'untrusted' end;
    else
      raise exception 'source_without_trust' using errcode = '22023', detail = p_run.source;
  end case;
end;
$$;

create function private.studio_set_callers() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.callers := private.studio_callers_of(new);
  return new;
end;
$$;

create trigger studio_runs_callers before insert on public.studio_runs
  for each row when (new.source <> 'editor' or new.callers is not null)
  execute function private.studio_set_callers();

-- Who gave the input of a run that a worker has claimed.
create function private.studio_run_callers(p_run_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select runs.callers from public.studio_runs as runs where runs.id = p_run_id;
$$;

-- From now on a version of the caller tells callers from its owner. Raises "version_not_found".
create function public.studio_mark_callers(p_workflow_id uuid, p_version integer) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  update public.studio_published as own set marks_callers = true
  where own.workflow_id = p_workflow_id and own.version = p_version and own.owner = caller;
  if not found then
    raise exception 'version_not_found' using errcode = 'P0002';
  end if;
end;
$$;

do $$
begin
  revoke all on function private.studio_callers_of(public.studio_runs) from public, anon, authenticated, service_role;
  revoke all on function private.studio_set_callers() from public, anon, authenticated, service_role;
  revoke all on function private.studio_run_callers(uuid) from public, anon, authenticated, service_role;
  grant execute on function private.studio_run_callers(uuid) to studio_worker;
  revoke all on function public.studio_mark_callers(uuid, integer) from public, anon, authenticated;
  grant execute on function public.studio_mark_callers(uuid, integer) to authenticated, service_role;
end;
$$;

-- Chat pages change at once: what visitors have already sent, and what agents remember of it. Workflows with a chat page may also
-- remember what their owner said in tests, and nobody can tell it apart any more. Encrypted messages cannot be marked here.
update public.studio_runs set callers = 'untrusted' where source = 'chat' and status in ('queued', 'running', 'waiting');

-- The texts stay the same, and so their vectors hold.
alter table public.studio_agent_memory disable trigger studio_agent_memory_drop_vector;
update public.studio_agent_memory as memory set message = memory.message || '{"untrusted": true}'::jsonb
where memory.role in ('user', 'assistant') and memory.message ? 'parts' and exists (
  select 1 from public.studio_doors as doors
  where doors.kind = 'chat' and doors.owner = memory.owner
    and (doors.workflow_id = memory.workflow_id or memory.workflow_id is null)
);
alter table public.studio_agent_memory enable trigger studio_agent_memory_drop_vector;
