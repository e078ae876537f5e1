-- Subject: runs
set check_function_bodies = off;

-- What strangers are shown of a run by a link, reduced and masked before it came here. Rows are written by studio_share_run alone; a
-- deleted row is a revoked link.
create table public.studio_shared_runs (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null references auth.users (id) on delete cascade,
  run_id uuid not null,
  -- SHA-256, in hex, of the 128 random bits in the link, which are stored nowhere.
  slug_hash text not null unique check (slug_hash ~ '^[0-9a-f]{64}$'),
  title text not null check (char_length(title) between 1 and 200),
  -- { prompts, data, files }: which of what is left out otherwise was put in.
  parts jsonb not null check (jsonb_typeof(parts) = 'object' and octet_length(parts::text) <= 1024),
  -- Its form is src/engine/run/share/shared-run.ts.
  snapshot jsonb not null check (jsonb_typeof(snapshot) = 'object' and octet_length(snapshot::text) <= 4194304),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '30 days',
  foreign key (run_id, owner) references public.studio_runs (id, owner) on delete cascade
);

create index studio_shared_runs_of_owner on public.studio_shared_runs (owner, created_at desc);
create index studio_shared_runs_of_run on public.studio_shared_runs (run_id, owner);

select private.studio_grant_rows('public.studio_shared_runs', 'select, delete');

-- The first step. Doing it again changes nothing.
create or replace function private.studio_begin_deletion(p_user uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  insert into private.studio_deletions (owner, steps)
  select users.id, (
    select jsonb_agg(jsonb_build_object('name', tables.name, 'condition', tables.condition) order by tables.place)
    from private.studio_owned_tables() with ordinality as tables (name, condition, place)
  )
  from auth.users as users where users.id = p_user
  on conflict do nothing;
  if not found then
    return;
  end if;
  -- The address is free at once, and a password or a link for the old one finds nobody.
  update auth.users as users set
    email = 'deleted-' || users.id || '@deleted.invalid', encrypted_password = '', phone = null, recovery_token = '',
    raw_user_meta_data = '{}', banned_until = now() + interval '100 years', updated_at = now()
  where users.id = p_user;
  delete from auth.identities where user_id = p_user;
  perform private.studio_end_sessions(p_user, null);

  delete from private.studio_api_key_hashes as hashes using public.studio_api_keys as keys
  where keys.owner = p_user and hashes.key_id = keys.id;
  delete from private.studio_credential_secrets as secrets using public.studio_credentials as credentials
  where credentials.owner = p_user and secrets.credential_id = credentials.id;
  delete from public.studio_doors as doors where doors.owner = p_user;
  delete from public.studio_shared_runs as shared where shared.owner = p_user;
  delete from private.studio_chat_sessions as sessions using public.studio_publications as publications
  where publications.owner = p_user and sessions.workflow_id = publications.workflow_id;
  delete from private.studio_chat_sessions as sessions where sessions.subject = 'account ' || p_user;

  -- Nobody is told of runs that end here.
  delete from private.studio_collectors as collectors using public.studio_publications as publications
  where publications.owner = p_user and collectors.workflow_id = publications.workflow_id;
  delete from private.studio_notices as notices where notices.owner = p_user;
  update public.studio_triggers as triggers set enabled = false where triggers.owner = p_user;
  update public.studio_publications as publications set live = null, staging = null, on_failure = null
  where publications.owner = p_user;
  -- Their workers find themselves fenced off at their next word. What is queued or waits is taken up by none.
  update public.studio_runs as runs set
    status = 'cancelled', cancel_requested_at = now(), ended_at = now(), lease_until = null
  where runs.owner = p_user and runs.status = 'running' and runs.source <> 'editor';
end;
$$;

select private.studio_grant_calls('private.studio_begin_deletion(uuid)');

-- Deletes what an owner keeps no longer, with his own settings, as him. Gives whether something may be left.
create or replace function private.studio_prune_owner(p_owner uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  claims constant text := current_setting('request.jwt.claims', true);
  subject constant text := current_setting('request.jwt.claim.sub', true);
  pruned integer := 0;
begin
  perform private.studio_limit_waiting();
  if not pg_try_advisory_xact_lock(7423005, hashtext(p_owner::text)) then
    return false;
  end if;
  perform set_config('request.jwt.claims', jsonb_build_object('sub', p_owner, 'role', 'authenticated')::text, true),
    set_config('request.jwt.claim.sub', p_owner::text, true);
  pruned := public.studio_prune_runs();
  if pruned < 50 then
    pruned := public.studio_prune_conversations();
    perform public.studio_prune_trash();
  end if;
  perform set_config('request.jwt.claims', coalesce(claims, ''), true),
    set_config('request.jwt.claim.sub', coalesce(subject, ''), true);
  if pruned >= 50 then
    return true;
  end if;
  delete from public.studio_shared_runs as old where old.owner = p_owner and old.expires_at <= now();
  delete from private.studio_notices as old where old.owner = p_owner and old.created_at < now() - interval '40 days';
  delete from private.studio_chore_problems as old
  where old.owner = p_owner and old.last_at < now() - interval '2 days' and old.chore <> 'retention';
  insert into private.studio_pruned (owner) values (p_owner) on conflict (owner) do update set at = now();
  return false;
end;
$$;

select private.studio_grant_calls('private.studio_prune_owner(uuid)', 'studio_worker');

-- What a link shows, as it was kept: { snapshot, expiresAt }; null once it has expired or was revoked.
create or replace function public.studio_read_shared_run(p_slug_hash text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('snapshot', shared.snapshot, 'expiresAt', shared.expires_at)
  from public.studio_shared_runs as shared
  where shared.slug_hash = p_slug_hash and shared.expires_at > now();
$$;

select private.studio_grant_calls('public.studio_read_shared_run(text)', 'service_role');

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

select private.studio_count_table('public.studio_shared_runs', 'rows', 'octet_length(item.snapshot::text)');
