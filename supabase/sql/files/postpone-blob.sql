-- Notes that bytes could not be deleted from storage: they come due again in ten minutes, after all others.
create or replace function public.studio_postpone_blob(p_folder uuid, p_blob uuid) returns void
language sql security definer set search_path = ''
as $$
  update private.studio_dead_blobs as dead set due_at = now() + interval '10 minutes'
  where dead.folder = p_folder and dead.blob = p_blob and dead.due_at <= now();
$$;

select private.studio_grant_calls('public.studio_postpone_blob(uuid, uuid)', 'service_role');
