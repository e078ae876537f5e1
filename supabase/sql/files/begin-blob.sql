-- Before bytes are stored: notes that they are garbage in an hour unless a file holds them by then. Gives how many bytes the owner may
-- store still.
create or replace function public.studio_begin_blob(p_owner uuid, p_blob uuid) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  most constant bigint := (select quotas.most from private.studio_quotas as quotas where quotas.kind = 'bytes');
  used constant bigint := (select usage.bytes from private.studio_usage as usage where usage.owner = p_owner);
begin
  insert into private.studio_dead_blobs (folder, blob, due_at) values (p_owner, p_blob, now() + interval '1 hour');
  return greatest(0, most - coalesce(used, 0));
end;
$$;

select private.studio_grant_calls('public.studio_begin_blob(uuid, uuid)', 'service_role');
