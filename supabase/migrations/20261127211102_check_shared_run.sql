-- Keeps what strangers are shown of one of the caller's runs, for 30 days, and gives { id, slug, expiresAt }: the only time that the
-- slug is seen. What is kept has the form and the measure of what the studio makes, since whoever calls may have written it by hand.
-- Raises "run_not_found", "too_many_shares", "invalid_share".
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
  part text;
  is_odd boolean;
begin
  is_odd := p_snapshot -> 'version' is distinct from '1'::jsonb
    or jsonb_typeof(p_snapshot -> 'title') is distinct from 'string'
    or jsonb_typeof(p_snapshot -> 'types') is distinct from 'object';
  foreach part in array array['nodes', 'edges', 'events'] loop
    is_odd := is_odd or jsonb_typeof(p_snapshot -> part) is distinct from 'array';
  end loop;
  if not is_odd then
    is_odd := jsonb_array_length(p_snapshot -> 'nodes') > 2000
      or jsonb_array_length(p_snapshot -> 'edges') > 10000
      or exists (
        select 1 from jsonb_array_elements(p_snapshot -> 'events') with ordinality as listed (event, place)
        where event ->> 'runId' is distinct from 'shared'
          or jsonb_typeof(event -> 'type') is distinct from 'string'
          or event -> 'seq' is distinct from to_jsonb(place - 1)
      );
  end if;
  if is_odd then
    raise exception 'invalid_share' using errcode = '22023';
  end if;
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
