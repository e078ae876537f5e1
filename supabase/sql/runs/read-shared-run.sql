-- What a link shows, as it was kept: { snapshot, expiresAt }; null once it has expired or was revoked.
create or replace function public.studio_read_shared_run(p_slug_hash text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('snapshot', shared.snapshot, 'expiresAt', shared.expires_at)
  from public.studio_shared_runs as shared
  where shared.slug_hash = p_slug_hash and shared.expires_at > now();
$$;

select private.studio_grant_calls('public.studio_read_shared_run(text)', 'service_role');
