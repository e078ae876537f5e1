-- Who gave the input of a run that is to be stored: 'untrusted', 'trusted' or null. Every source has its rule, as in
-- src/engine/trust/run-sources.ts; one without a rule starts nothing.
create or replace function private.studio_callers_of(p_run public.studio_runs) returns text
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
            where events.run_id = failed.id and events.run_added_at = failed.added_at and events.type in ('run-start', 'run-end') and events.event ? 'untrusted'))
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

select private.studio_grant_calls('private.studio_callers_of(public.studio_runs)');
