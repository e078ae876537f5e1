-- Takes runs of one publication of an owner whose traces are due, those that have waited longest: { workflowId, runs }; null when
-- none is. They come due again soon, unless somebody says what became of them.
create or replace function private.studio_claim_traces(p_worker text, p_most integer, p_owner uuid) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  chosen uuid;
  claimed jsonb;
begin
  perform private.studio_limit_waiting();
  select exports.workflow_id into chosen from private.studio_trace_exports as exports
  where exports.owner = p_owner and exports.next_at <= now() order by exports.next_at limit 1 for update skip locked;
  if not found then
    return null;
  end if;
  with due as (
    select exports.run_id from private.studio_trace_exports as exports
    where exports.workflow_id = chosen and exports.next_at <= now()
    order by exports.next_at limit p_most for update skip locked
  ), taken as (
    update private.studio_trace_exports as exports set
      attempts = exports.attempts + 1, next_at = now() + interval '2 minutes', worker = p_worker
    from due where due.run_id = exports.run_id
    returning exports.run_id
  )
  select jsonb_agg(taken.run_id) into claimed from taken;
  return jsonb_build_object('workflowId', chosen, 'runs', coalesce(claimed, '[]'::jsonb));
end;
$$;

select private.studio_grant_calls('private.studio_claim_traces(text, integer, uuid)', 'studio_worker');
