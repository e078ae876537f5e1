-- Frees places; freeing one twice, or after its time, does nothing. `p_uncounted`: calls that were let in and not counted yet, as
-- [{"owner", "bucket", "calls"}]. Neither waits for the disk: a place that a crash brings back is forgotten after its time.
create or replace function public.studio_leave_slots(p_slots uuid[], p_uncounted jsonb default '[]') returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  delete from private.studio_slots where id = any (p_slots);
  perform private.studio_count_calls(told.owner, told.bucket, told.calls)
  from jsonb_to_recordset(p_uncounted) as told(owner uuid, bucket text, calls integer);
end;
$$;

select private.studio_grant_calls('public.studio_leave_slots(uuid[], jsonb)', 'service_role');
