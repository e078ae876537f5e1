-- Bytes that no file holds any more: where they are in storage, the oldest first.
create or replace function public.studio_due_blobs(p_limit integer) returns table (folder uuid, blob uuid)
language sql stable security definer set search_path = ''
as $$
  select dead.folder, dead.blob from private.studio_dead_blobs as dead
  where dead.due_at <= now() order by dead.due_at limit least(p_limit, 100);
$$;

select private.studio_grant_calls('public.studio_due_blobs(integer)', 'service_role');
