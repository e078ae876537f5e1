-- How far an imported workflow has been looked after: { format, received, nodes, placeholder, needsCredential, approximated,
-- first }, null for a workflow that was not imported. The middle three count what is still open, by the rule of `entryState`
-- in src/engine/document/import-report.ts; `first` is the node of the first open entry. Never fails, whatever the document is.
create or replace function public.studio_import_state(p_document jsonb) returns jsonb
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

select private.studio_grant_calls('public.studio_import_state(jsonb)', 'authenticated', 'service_role');
