-- Switches a trigger of the caller. One that is switched on waits for its next time; what it missed is gone.
create or replace function public.studio_switch_trigger(p_trigger_id uuid, p_enabled boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  update public.studio_triggers as own set enabled = p_enabled, next_at = null, problem = null
  where own.id = p_trigger_id and own.owner = caller;
  if not found then
    raise exception 'trigger_not_found' using errcode = 'PT404';
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_switch_trigger(uuid, boolean)', 'authenticated', 'service_role');
