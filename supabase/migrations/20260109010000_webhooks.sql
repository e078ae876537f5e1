-- Webhooks: what the edge function `doors` asks of the database when an address under /hooks is called, and what owners do with
-- the secrets by which callers are known.

-- The last request that came to the test address of a webhook, for the canvas of its owner. It is kept for a week.
create table public.studio_hook_requests (
  workflow_id uuid primary key,
  owner uuid not null references auth.users (id) on delete cascade,
  request jsonb not null check (jsonb_typeof(request) = 'object' and octet_length(request::text) <= 4194304),
  received_at timestamptz not null default now(),
  foreign key (workflow_id, owner) references public.studio_publications (workflow_id, owner) on delete cascade
);

create index studio_hook_requests_of_publication on public.studio_hook_requests (workflow_id, owner);
create index studio_hook_requests_of_owner on public.studio_hook_requests (owner, received_at);

alter table public.studio_hook_requests enable row level security;
revoke all on table public.studio_hook_requests from public, anon, authenticated;
grant select on table public.studio_hook_requests to authenticated;
grant all on table public.studio_hook_requests to service_role;
create policy studio_hook_requests_select on public.studio_hook_requests for select to authenticated
  using (owner = (select auth.uid()));

select private.studio_count_table('public.studio_hook_requests', 'rows', 'octet_length(item.request::text)');

-- Keeps a request as the last one of a publication's webhook.
create function public.studio_keep_hook_request(p_workflow_id uuid, p_request jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  of_owner uuid;
begin
  select publications.owner into of_owner from public.studio_publications as publications
  where publications.workflow_id = p_workflow_id;
  if of_owner is null then
    return;
  end if;
  delete from public.studio_hook_requests as old
  where old.owner = of_owner and old.received_at < now() - interval '7 days';
  insert into public.studio_hook_requests as kept (workflow_id, owner, request) values (p_workflow_id, of_owner, p_request)
  on conflict (workflow_id) do update set request = excluded.request, received_at = now();
end;
$$;

-- The nodes of a published version that matter to its webhook: { triggers: [id], responds: [id] }; null where there is no such
-- version.
create function public.studio_hook_nodes(p_workflow_id uuid, p_version integer) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'triggers', coalesce(jsonb_agg(node.key) filter (where node.value ->> 'type' = 'webhook-trigger'), '[]'),
    'responds', coalesce(jsonb_agg(node.key) filter (where node.value ->> 'type' = 'respond'), '[]'))
  from public.studio_published as versions
  left join lateral jsonb_each(versions.document -> 'nodes') as node
    on node.value ->> 'type' in ('webhook-trigger', 'respond') and not coalesce((node.value -> 'disabled')::boolean, false)
  where versions.workflow_id = p_workflow_id and versions.version = p_version
  group by versions.version;
$$;

-- The run that a delivery started within the last 24 hours: { id, status, same }; null for none. `same`: it came with this body.
-- p_body: { value }.
-- An older one gives its key back, so that the delivery starts a run again.
create function public.studio_hook_delivery(p_workflow_id uuid, p_key text, p_body jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  known record;
begin
  select runs.id, runs.status, runs.started_at, runs.input #> '{value,body}' as body into known
  from public.studio_runs as runs where runs.workflow_id = p_workflow_id and runs.idempotency_key = p_key;
  if not found then
    return null;
  end if;
  if known.started_at < now() - interval '24 hours' and known.status not in ('queued', 'running', 'waiting') then
    update public.studio_runs as runs set idempotency_key = null where runs.id = known.id;
    return null;
  end if;
  return jsonb_build_object('id', known.id, 'status', known.status, 'same', known.body is not distinct from p_body -> 'value');
end;
$$;

-- Gives the caller's webhook a new secret. With p_keep_previous, what was signed with the old one is taken too, until the name
-- "previous" is deleted by studio_save_door. Raises "door_not_found".
create function public.studio_renew_hook_secret(p_workflow_id uuid, p_secret text, p_keep_previous boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  kept jsonb;
begin
  if p_secret is null or char_length(p_secret) not between 8 and 500 then
    raise exception 'bad_secret' using errcode = '22023';
  end if;
  perform 1 from public.studio_doors as own
  where own.workflow_id = p_workflow_id and own.kind = 'hook' and own.owner = caller for update;
  if not found then
    raise exception 'door_not_found' using errcode = 'P0002';
  end if;
  insert into private.studio_door_secrets as stored (workflow_id, kind, secrets)
  values (p_workflow_id, 'hook', jsonb_build_object('current', p_secret))
  on conflict (workflow_id, kind) do update set
    secrets = (stored.secrets - 'previous')
      || case when p_keep_previous and stored.secrets ? 'current'
        then jsonb_build_object('previous', stored.secrets -> 'current') else '{}'::jsonb end
      || excluded.secrets
  returning stored.secrets into kept;
  update public.studio_doors as doors set
    secrets = (select coalesce(jsonb_agg(name order by name), '[]') from jsonb_object_keys(kept) as name),
    updated_at = now()
  where doors.workflow_id = p_workflow_id and doors.kind = 'hook' and doors.owner = caller;
end;
$$;

revoke all on function public.studio_renew_hook_secret(uuid, text, boolean) from public, anon, authenticated;
grant execute on function public.studio_renew_hook_secret(uuid, text, boolean) to authenticated, service_role;

do $$
declare
  signature text;
begin
  foreach signature in array array[
    'studio_keep_hook_request(uuid, jsonb)',
    'studio_hook_nodes(uuid, integer)',
    'studio_hook_delivery(uuid, text, jsonb)'
  ] loop
    execute format('revoke all on function public.%s from public, anon, authenticated', signature);
    execute format('grant execute on function public.%s to service_role', signature);
  end loop;
end;
$$;
