-- Starts a run for a door as studio_door_start does, within the shares of its senders: also { problem: 'share', sender, unit,
-- retryAfter }. p_bytes: of the input. What comes again under a known key is not counted again.
-- p_files: of the owner; the run is given them.
create or replace function public.studio_door_begin(
  p_workflow_id uuid, p_target text, p_input jsonb, p_source text, p_key text, p_trigger_id uuid, p_api_key_id uuid,
  p_subject text, p_senders jsonb, p_bytes bigint, p_files uuid[] default '{}'
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  of_owner uuid;
  problem jsonb;
  started jsonb;
begin
  -- The same order as in studio_door_start, which takes it again.
  perform pg_advisory_xact_lock(hashtextextended('start ' || p_workflow_id::text, 0));
  select publications.owner into of_owner from public.studio_publications as publications
  where publications.workflow_id = p_workflow_id;
  begin
    if of_owner is not null and not exists (
      select 1 from public.studio_runs as runs where runs.workflow_id = p_workflow_id and runs.idempotency_key = p_key
    ) then
      problem := private.studio_take_shares(p_workflow_id, of_owner, p_senders, p_bytes);
      if problem is not null then
        return problem;
      end if;
    end if;
    started := public.studio_door_start(
      p_workflow_id, p_target, p_input, p_source, p_key, p_trigger_id, p_api_key_id, p_subject);
    if started ? 'problem' then
      problem := started;
      raise exception 'refused' using errcode = 'P0001';
    end if;
  exception when raise_exception then
    if problem is null then
      raise;
    end if;
    return problem;
  end;
  perform private.studio_give_files((started ->> 'id')::uuid, of_owner, p_files);
  perform private.studio_tell_full(p_workflow_id, of_owner);
  return started;
end;
$$;

select private.studio_grant_calls('public.studio_door_begin(uuid, text, jsonb, text, text, uuid, uuid, text, jsonb, bigint, uuid[])', 'service_role');
