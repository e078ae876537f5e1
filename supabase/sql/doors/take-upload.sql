-- Counts bytes of files that are about to be stored for a publication among what their senders may send today, before they come:
-- null, or { problem: 'share', … } as studio_door_begin has it, or { problem: 'not_published' }. The message that they go with is
-- counted when it starts a run. With p_counts false they are counted there too, and here it is only said whether there is room; there
-- always is for what is known already by p_known, an idempotency key or the key of a delivery.
create or replace function public.studio_take_upload(
  p_workflow_id uuid, p_senders jsonb, p_bytes bigint, p_counts boolean default true, p_known text default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  of_owner uuid;
  problem jsonb;
begin
  perform pg_advisory_xact_lock(hashtextextended('start ' || p_workflow_id::text, 0));
  select publications.owner into of_owner from public.studio_publications as publications
  where publications.workflow_id = p_workflow_id and publications.live is not null;
  if of_owner is null then
    return jsonb_build_object('problem', 'not_published');
  end if;
  if not p_counts and p_known is not null and (
    exists (select from public.studio_runs as runs where runs.workflow_id = p_workflow_id and runs.idempotency_key = p_known)
    or exists (
      select from private.studio_hook_deliveries as deliveries
      where deliveries.workflow_id = p_workflow_id and deliveries.key = p_known)
  ) then
    return null;
  end if;
  begin
    problem := private.studio_take_shares(p_workflow_id, of_owner, p_senders, p_bytes, 0);
    if not p_counts then
      raise exception 'refused' using errcode = 'P0001';
    end if;
  exception when raise_exception then
    if p_counts then
      raise;
    end if;
  end;
  return problem;
end;
$$;

select private.studio_grant_calls('public.studio_take_upload(uuid, jsonb, bigint, boolean, text)', 'service_role');
