-- What another run of the same owner ran: { document, input, status }; no row where there is no such run.
create or replace function private.studio_run_source(p_run_id uuid, p_source uuid)
returns table (document jsonb, input jsonb, status text)
language sql stable security definer set search_path = ''
as $$
  select coalesce(versions.document, source.document), source.input -> 'value', source.status
  from public.studio_runs as source
  left join public.studio_published as versions
    on versions.workflow_id = source.workflow_id and versions.version = source.published_version
  where source.id = p_source
    and source.owner = (select runs.owner from public.studio_runs as runs where runs.id = p_run_id);
$$;

select private.studio_grant_calls('private.studio_run_source(uuid, uuid)', 'studio_worker');
