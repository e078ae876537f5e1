-- Keeps what strangers are shown of one of the caller's runs, for 30 days, and gives { id, slug, expiresAt }: the only time that the
-- slug is seen. Raises "run_not_found", "too_many_shares".
create or replace function public.studio_share_run(
  p_run_id uuid, p_title text, p_parts jsonb, p_snapshot jsonb
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  -- 128 bits out of 244 random ones.
  slug constant text := left(
    encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'hex'), 32);
  made public.studio_shared_runs%rowtype;
begin
  perform 1 from public.studio_runs as runs
  where runs.id = p_run_id and runs.owner = caller and runs.status not in ('queued', 'running', 'waiting');
  if not found then
    raise exception 'run_not_found' using errcode = 'P0002';
  end if;
  delete from public.studio_shared_runs as shared where shared.owner = caller and shared.expires_at <= now();
  if (select count(*) from public.studio_shared_runs as shared where shared.owner = caller) >= 200 then
    raise exception 'too_many_shares' using errcode = '23514';
  end if;
  insert into public.studio_shared_runs (owner, run_id, slug_hash, title, parts, snapshot)
  values (caller, p_run_id, encode(sha256(convert_to(slug, 'UTF8')), 'hex'), p_title, p_parts, p_snapshot)
  returning * into made;
  return jsonb_build_object('id', made.id, 'slug', slug, 'expiresAt', made.expires_at);
end;
$$;

select private.studio_grant_calls('public.studio_share_run(uuid, text, jsonb, jsonb)', 'authenticated', 'service_role');
