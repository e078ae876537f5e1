-- Says what became of traces: sent, or why not. With p_again they are sent again after 30 seconds, and each time after four times as
-- long, six times in all: for about three hours.
create or replace function public.studio_end_traces(p_workflow_id uuid, p_owner uuid, p_runs jsonb, p_problem text, p_again boolean)
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

select private.studio_grant_calls('public.studio_end_traces(uuid, uuid, jsonb, text, boolean)', 'service_role');
