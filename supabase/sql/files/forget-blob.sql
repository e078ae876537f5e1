-- Notes that bytes are gone from storage.
create or replace function public.studio_forget_blob(p_folder uuid, p_blob uuid) returns void
language sql security definer set search_path = ''
as $$
  delete from private.studio_dead_blobs as dead where dead.folder = p_folder and dead.blob = p_blob and dead.due_at <= now();
$$;

select private.studio_grant_calls('public.studio_forget_blob(uuid, uuid)', 'service_role');
