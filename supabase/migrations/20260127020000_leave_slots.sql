-- Freeing places is told to the disk with whatever comes next, as taking them is: a place that a crash brings back is forgotten
-- after its time.
create or replace function public.studio_leave_slots(p_slots uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  delete from private.studio_slots where id = any (p_slots);
end;
$$;
