-- Starts the workflow that p_workflow_id names for failures, with what happened, and queues a notice for the webhook if there
-- is one; once for each p_key. It never raises: what it is told of has happened already. Failures of runs that were started by
-- a failure tell nobody, or two workflows could go on telling each other.
create or replace function private.studio_tell_failure(p_workflow_id uuid, p_key text, p_what jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  publication public.studio_publications%rowtype;
  told public.studio_publications%rowtype;
  what jsonb;
begin
  select * into publication from public.studio_publications as found where found.workflow_id = p_workflow_id;
  if not found then
    return;
  end if;
  what := p_what || jsonb_build_object('workflow', jsonb_build_object('id', p_workflow_id, 'slug', publication.slug));
  if publication.on_failure ->> 'url' is not null then
    insert into private.studio_notices (owner, workflow_id, key, url, body)
    values (publication.owner, p_workflow_id, p_key, publication.on_failure ->> 'url', what)
    on conflict (workflow_id, key) do nothing;
  end if;
  if publication.on_failure ->> 'workflowId' is null then
    return;
  end if;
  select * into told from public.studio_publications as found
  where found.workflow_id::text = publication.on_failure ->> 'workflowId' and found.owner = publication.owner;
  if not found or told.live is null then
    update public.studio_publications as own set
      on_failure_problem = 'The workflow that is told of failures has no live version. Publish it, or choose another.'
    where own.workflow_id = p_workflow_id;
    return;
  end if;
  begin
    perform private.studio_queue_run(told.workflow_id, 'live', what, 'failure', p_key, null, null);
    update public.studio_publications as own set on_failure_problem = null
    where own.workflow_id = p_workflow_id and own.on_failure_problem is not null;
  exception when others then
    update public.studio_publications as own set
      on_failure_problem = left(
        'The workflow that is told of failures could not be started: ' || private.studio_reason(sqlstate, sqlerrm), 1000)
    where own.workflow_id = p_workflow_id;
  end;
exception when others then
  raise warning 'A failure was not told: %', sqlerrm;
end;
$$;

select private.studio_grant_calls('private.studio_tell_failure(uuid, text, jsonb)');
