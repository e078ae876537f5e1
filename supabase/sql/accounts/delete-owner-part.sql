-- One part of deleting an account, for about p_ms milliseconds: true once it is gone, null when another process is at it.
create or replace function private.studio_delete_owner_part(p_owner uuid, p_ms integer) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_limit_waiting();
  return private.studio_delete_part(p_ms, p_owner);
end;
$$;

select private.studio_grant_calls('private.studio_delete_owner_part(uuid, integer)', 'studio_worker');
