-- Adds deliveries that came again and started nothing to what the owner of a webhook sees. Counting begins anew after a week without one.
create or replace function public.studio_note_known_deliveries(p_workflow_id uuid, p_count integer) returns void
language sql security definer set search_path = ''
as $$
  update public.studio_doors as doors set
    known_deliveries = least(1000000000, greatest(p_count, 0)::bigint
      + case when doors.known_delivery_at > now() - interval '7 days' then doors.known_deliveries else 0 end),
    known_delivery_at = now()
  where doors.workflow_id = p_workflow_id and doors.kind = 'hook';
$$;

select private.studio_grant_calls('public.studio_note_known_deliveries(uuid, integer)', 'service_role');
