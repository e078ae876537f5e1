-- For functions of the release before studio_hook_begin, which run until they are deployed; goes with the next release.
-- The run that a delivery started within the last 24 hours: { id, status, same }; null for none. `same`: it came with this body.
-- p_body: { value }.
-- An older one gives its key back, so that the delivery starts a run again.
create or replace function public.studio_hook_delivery(p_workflow_id uuid, p_key text, p_body jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  known record;
begin
  select runs.id, runs.status, runs.started_at, runs.input #> '{value,body}' as body into known
  from public.studio_runs as runs where runs.workflow_id = p_workflow_id and runs.idempotency_key = p_key;
  if not found then
    return null;
  end if;
  if known.started_at < now() - interval '24 hours' and known.status not in ('queued', 'running', 'waiting') then
    update public.studio_runs as runs set idempotency_key = null where runs.id = known.id;
    return null;
  end if;
  return jsonb_build_object('id', known.id, 'status', known.status, 'same', known.body is not distinct from p_body -> 'value');
end;
$$;

select private.studio_grant_calls('public.studio_hook_delivery(uuid, text, jsonb)', 'service_role');
