-- Published workflows as tools of MCP clients. The edge function `doors` speaks the protocol; it keeps no state of its own.

alter table public.studio_runs
  drop constraint studio_runs_source_check,
  add constraint studio_runs_source_check
    check (source in ('editor', 'manual', 'schedule', 'api', 'webhook', 'chat', 'failure', 'mcp'));

-- The publications of an owner whose MCP door is open and that have a live version, as studio_read_door gives them.
create function public.studio_mcp_doors(p_owner uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(open.door order by open.slug), '[]'::jsonb)
  from (
    select publications.slug, public.studio_read_door(publications.workflow_id::text, 'mcp') as door
    from public.studio_publications as publications
    join public.studio_doors as doors
      on doors.workflow_id = publications.workflow_id and doors.kind = 'mcp' and doors.enabled
    where publications.owner = p_owner and publications.live is not null
    order by publications.slug
    limit 200
  ) as open
  where open.door is not null;
$$;

-- The run that an API key of this owner started under an idempotency key; null where there is none.
create function public.studio_door_run_of_key(p_owner uuid, p_api_key_id uuid, p_key text) returns uuid
language sql stable security definer set search_path = ''
as $$
  select runs.id
  from public.studio_publications as publications
  join public.studio_runs as runs on runs.workflow_id = publications.workflow_id and runs.idempotency_key = p_key
  where publications.owner = p_owner and runs.api_key_id = p_api_key_id
  limit 1;
$$;

do $$
declare
  signature text;
begin
  foreach signature in array array['studio_mcp_doors(uuid)', 'studio_door_run_of_key(uuid, uuid, text)'] loop
    execute format('revoke all on function public.%s from public, anon, authenticated', signature);
    execute format('grant execute on function public.%s to service_role', signature);
  end loop;
end;
$$;
