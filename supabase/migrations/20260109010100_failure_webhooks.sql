-- A workflow may name a signed webhook that is told of failures, besides or in place of another workflow:
-- on_failure { workflowId?, url? }. What is to be told waits here until the edge function `send-notice` has sent it; workers
-- call that function, again and again with longer pauses.

create table private.studio_failure_secrets (
  workflow_id uuid primary key references public.studio_publications (workflow_id) on delete cascade,
  secret text not null check (char_length(secret) between 8 and 500)
);

create table private.studio_notices (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null references auth.users (id) on delete cascade,
  workflow_id uuid not null references public.studio_publications (workflow_id) on delete cascade,
  -- What is told; each once.
  key text not null check (char_length(key) <= 255),
  url text not null check (char_length(url) <= 2000),
  body jsonb not null,
  attempts integer not null default 0,
  -- Null once it was sent or given up.
  next_at timestamptz default now(),
  -- Which worker has it sent, while it does.
  worker text,
  created_at timestamptz not null default now(),
  unique (workflow_id, key)
);
create index studio_notices_due on private.studio_notices (next_at) where next_at is not null;
create index studio_notices_of_owner on private.studio_notices (owner);
create index studio_notices_oldest on private.studio_notices (created_at);

do $$
declare
  name text;
begin
  foreach name in array array['studio_failure_secrets', 'studio_notices'] loop
    execute format('alter table private.%I enable row level security', name);
    execute format('revoke all on table private.%I from public, anon, authenticated, service_role', name);
  end loop;
end;
$$;

-- As before, and puts what happened into line for the webhook, if there is one.
create or replace function private.studio_tell_failure(p_workflow_id uuid, p_key text, p_what jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  publication public.studio_publications%rowtype;
  told public.studio_publications%rowtype;
  what jsonb;
begin
  select * into publication from public.studio_publications as found where found.workflow_id = p_workflow_id;
  if not found then
    return;
  end if;
  what := p_what || jsonb_build_object('workflow', jsonb_build_object('id', p_workflow_id, 'slug', publication.slug));
  if publication.on_failure ->> 'url' is not null then
    delete from private.studio_notices as old where old.created_at < now() - interval '40 days';
    insert into private.studio_notices (owner, workflow_id, key, url, body)
    values (publication.owner, p_workflow_id, p_key, publication.on_failure ->> 'url', what)
    on conflict (workflow_id, key) do nothing;
  end if;
  if publication.on_failure ->> 'workflowId' is null then
    return;
  end if;
  select * into told from public.studio_publications as found
  where found.workflow_id::text = publication.on_failure ->> 'workflowId' and found.owner = publication.owner;
  if not found or told.live is null then
    update public.studio_publications as own set
      on_failure_problem = 'The workflow that is told of failures has no live version. Publish it, or choose another.'
    where own.workflow_id = p_workflow_id;
    return;
  end if;
  perform private.studio_queue_run(told.workflow_id, 'live', what, 'failure', p_key, null, null);
  update public.studio_publications as own set on_failure_problem = null
  where own.workflow_id = p_workflow_id and own.on_failure_problem is not null;
exception when others then
  raise warning 'A failure was not told: %', sqlerrm;
end;
$$;

-- Stores the secret with which the caller's notices are signed; null deletes it. Raises "not_published".
create function public.studio_set_failure_secret(p_workflow_id uuid, p_secret text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  perform 1 from public.studio_publications as own where own.workflow_id = p_workflow_id and own.owner = caller;
  if not found then
    raise exception 'not_published' using errcode = 'P0002';
  end if;
  if p_secret is null then
    delete from private.studio_failure_secrets as stored where stored.workflow_id = p_workflow_id;
    return;
  end if;
  insert into private.studio_failure_secrets as stored (workflow_id, secret) values (p_workflow_id, p_secret)
  on conflict (workflow_id) do update set secret = excluded.secret;
end;
$$;

-- Takes the notice that has been due longest: { id, owner }; null when none is. It comes due again soon, unless somebody says
-- what became of it.
create function private.studio_claim_notice(p_worker text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  claimed private.studio_notices%rowtype;
begin
  update private.studio_notices as due set
    attempts = due.attempts + 1, next_at = now() + interval '2 minutes', worker = p_worker
  where due.id = (
    select first.id from private.studio_notices as first where first.next_at <= now()
    order by first.next_at limit 1 for update skip locked
  )
  returning * into claimed;
  if claimed.id is null then
    return null;
  end if;
  return jsonb_build_object('id', claimed.id, 'owner', claimed.owner);
end;
$$;

-- A notice of an account that has not been sent: { url, body, secret }; null where there is none.
create function public.studio_read_notice(p_id uuid, p_owner uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('url', notices.url, 'body', notices.body, 'secret', stored.secret)
  from private.studio_notices as notices
  left join private.studio_failure_secrets as stored on stored.workflow_id = notices.workflow_id
  where notices.id = p_id and notices.owner = p_owner and notices.next_at is not null;
$$;

-- Says what became of a notice: sent, or why not. Then it is sent again after 30 seconds, and each time after four times as long,
-- six times in all: for about eleven hours.
create function public.studio_end_notice(p_id uuid, p_problem text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  ended private.studio_notices%rowtype;
begin
  update private.studio_notices as notices set
    worker = null,
    next_at = case when p_problem is null or notices.attempts >= 7 then null
      else now() + interval '30 seconds' * (4 ^ (greatest(notices.attempts, 1) - 1)) end
  where notices.id = p_id and notices.next_at is not null
  returning * into ended;
  if ended.id is null then
    return;
  end if;
  update public.studio_publications as own set
    on_failure_problem = case when p_problem is null then null
      when ended.next_at is null then left('The webhook that is told of failures could not be reached: ' || p_problem, 1000)
      else left('The webhook that is told of failures could not be reached and is tried again: ' || p_problem, 1000) end
  where own.workflow_id = ended.workflow_id
    and (p_problem is not null or own.on_failure_problem is not null);
end;
$$;

do $$
declare
  signature text;
begin
  execute 'revoke all on function private.studio_claim_notice(text) from public, anon, authenticated, service_role';
  execute 'grant execute on function private.studio_claim_notice(text) to studio_worker';
  execute 'revoke all on function public.studio_set_failure_secret(uuid, text) from public, anon, authenticated';
  execute 'grant execute on function public.studio_set_failure_secret(uuid, text) to authenticated, service_role';
  foreach signature in array array['studio_read_notice(uuid, uuid)', 'studio_end_notice(uuid, text)'] loop
    execute format('revoke all on function public.%s from public, anon, authenticated', signature);
    execute format('grant execute on function public.%s to service_role', signature);
  end loop;
end;
$$;
