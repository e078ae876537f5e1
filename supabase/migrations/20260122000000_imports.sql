-- What was imported from other builders, and what is still to do about it.

-- How far an imported workflow has been looked after: { format, received, nodes, placeholder, needsCredential, approximated,
-- first }, null for a workflow that was not imported. The middle three count what is still open, by the rule of `entryState`
-- in src/engine/document/import-report.ts; `first` is the node of the first open entry. Never fails, whatever the document is.
create function public.studio_import_state(p_document jsonb) returns jsonb
language sql immutable parallel safe security invoker set search_path = ''
as $$
  with report as (
    select p_document -> 'importReport' as value
    where jsonb_typeof(p_document -> 'importReport') = 'object'
      and jsonb_typeof(p_document -> 'importReport' -> 'format') = 'string'
  ), entries as (
    select entry.value as entry, entry.number, p_document -> 'nodes' -> (entry.value ->> 'nodeId') as node
    from report, jsonb_array_elements(
      case when jsonb_typeof(report.value -> 'entries') = 'array' then report.value -> 'entries' else '[]' end
    ) with ordinality as entry (value, number)
    where jsonb_typeof(entry.value) = 'object' and entry.number <= 200
  ), open as (
    select entries.entry ->> 'outcome' as outcome, entries.entry ->> 'nodeId' as node_id, entries.number
    from entries
    where coalesce(entries.entry -> 'done', 'false') <> 'true'
      and (entries.entry ->> 'nodeId' is null or (
        entries.node is not null
        and not (
          entries.entry ->> 'outcome' = 'placeholder' and entries.entry ->> 'about' = 'node'
          and coalesce(entries.node ->> 'type', '') not in ('placeholder', 'placeholder-tool')
        )
        and not (
          entries.entry ->> 'outcome' = 'needsCredential'
          and coalesce(jsonb_typeof(entries.node -> 'config' -> 'credential') = 'string', false)
          and entries.node -> 'config' ->> 'credential' <> ''
        )
      ))
  )
  select jsonb_build_object(
    'format', left(report.value ->> 'format', 40),
    'received', coalesce(report.value -> 'received', 'false') = 'true',
    'nodes', report.value -> 'nodes' -> 'total',
    'placeholder', (select count(*) from open where open.outcome = 'placeholder'),
    'needsCredential', (select count(*) from open where open.outcome = 'needsCredential'),
    'approximated', (select count(*) from open where open.outcome = 'approximated'),
    'first', (select open.node_id from open where open.node_id is not null order by open.number limit 1)
  )
  from report;
$$;

alter table public.studio_workflows
  -- Beside the document, which is large, so that a list need not open it.
  add column import_state jsonb generated always as (public.studio_import_state(document)) stored;

create index studio_workflows_imported on public.studio_workflows (owner, created_at desc)
  where import_state is not null and deleted_at is null;

-- Imported workflows, the newest first. p_open is `placeholder`, `needsCredential`, `approximated` or `any` for those where
-- that is still to do, `none` for those with nothing left, null for all. A search looks into names.
create function public.studio_list_imports(p_search text, p_open text, p_after jsonb, p_limit integer)
returns table (id uuid, name text, created_at timestamptz, import_state jsonb, total bigint, place jsonb)
language sql stable security invoker set search_path = ''
as $$
  with imported as (
    select workflows.id, workflows.name, workflows.created_at, workflows.import_state,
      (workflows.import_state ->> 'placeholder')::integer as placeholder,
      (workflows.import_state ->> 'needsCredential')::integer as credential,
      (workflows.import_state ->> 'approximated')::integer as approximated
    from public.studio_workflows as workflows
    where workflows.owner = (select auth.uid()) and workflows.deleted_at is null and workflows.import_state is not null
      and public.studio_fold(workflows.name) like all ((select public.studio_search_patterns(p_search))::text[])
  ), fitting as materialized (
    select * from imported
    where case p_open
      when 'placeholder' then imported.placeholder > 0
      when 'needsCredential' then imported.credential > 0
      when 'approximated' then imported.approximated > 0
      when 'any' then imported.placeholder + imported.credential + imported.approximated > 0
      when 'none' then imported.placeholder + imported.credential + imported.approximated = 0
      else true
    end
  )
  select fitting.id, fitting.name, fitting.created_at, fitting.import_state, (select count(*) from fitting),
    jsonb_build_object('id', fitting.id, 'moment', fitting.created_at)
  from fitting
  where p_after is null
    or (fitting.created_at, fitting.id) < ((p_after ->> 'moment')::timestamptz, (p_after ->> 'id')::uuid)
  order by fitting.created_at desc, fitting.id desc
  limit p_limit;
$$;

do $$
declare
  signature text;
begin
  foreach signature in array array['studio_import_state(jsonb)', 'studio_list_imports(text, text, jsonb, integer)'] loop
    execute format('revoke all on function public.%s from public, anon, authenticated', signature);
    execute format('grant execute on function public.%s to authenticated, service_role', signature);
  end loop;
end;
$$;
