-- The caller's runs that fit p_filter, newest first, at most p_limit of them, after the one named by p_after, with the
-- beginning of a large input only and without the output. p_filter: { workflowId?, statuses?, text?, from?, to?, trials? }, where
-- `trials` gives the runs of tests only (true) or all others (false); p_after: { startedAt, id } or null. With p_limit null,
-- all ids. The statement has only those conditions that were requested, so that Postgres finds an index for each combination.
create or replace function public.studio_find_runs(p_filter jsonb, p_limit integer, p_after jsonb)
returns table (
  id uuid, workflow_id uuid, workflow_name text, status text, input jsonb, output jsonb, error jsonb,
  total_tokens integer, cost_usd numeric, started_at timestamptz, ended_at timestamptz, forked_from jsonb,
  ending jsonb, source text, published_version integer, trigger_id uuid, attempt integer, worker text,
  queued_at timestamptz, cancel_requested_at timestamptz, is_trial boolean
)
language plpgsql stable security invoker set search_path = ''
as $$
declare
  statuses constant text[] := (
    select array_agg(wanted.value)
    from jsonb_array_elements_text(p_filter -> 'statuses') as wanted (value)
  );
  -- As the text stands inside JSON: quotes and line breaks escaped, without the quotes around it.
  words constant text := lower(substring(
    (p_filter -> 'text')::text from 2 for length((p_filter -> 'text')::text) - 2));
  conditions constant text := concat_ws(' and ', 'runs.owner = (select auth.uid())',
    case when p_filter ->> 'workflowId' is not null then 'runs.workflow_id = $1' end,
    case
      when p_filter -> 'statuses' is null then null
      -- One alone can be read in order.
      when cardinality(statuses) = 1 then 'runs.status = $2[1]'
      else 'runs.status = any ($2)'
    end,
    case when p_filter -> 'sources' is not null then '$3 ? runs.source' end,
    case (p_filter ->> 'trials')::boolean when true then 'runs.is_trial' when false then 'not runs.is_trial' end,
    case when p_filter ->> 'from' is not null then 'runs.started_at >= $4' end,
    case when p_filter ->> 'to' is not null then 'runs.started_at < $5' end,
    case when p_filter ->> 'text' is not null then 'position($6 in lower(runs.input::text)) > 0' end,
    case when p_after is not null then '(runs.started_at, runs.id) < ($7, $8)' end);
begin
  return query execute
    'select page.id, page.workflow_id, workflows.name, page.status, public.studio_run_input_words(page.input), null::jsonb,
       page.error, page.total_tokens, page.cost_usd, page.started_at, page.ended_at, page.forked_from,
       page.ending, page.source, page.published_version, page.trigger_id, page.attempt, page.worker,
       page.queued_at, page.cancel_requested_at, page.is_trial
     from (
       select runs.* from public.studio_runs as runs where ' || conditions || '
       order by runs.started_at desc, runs.id desc limit $9
     ) as page
     join public.studio_workflows as workflows on workflows.id = page.workflow_id
     order by page.started_at desc, page.id desc'
  using (p_filter ->> 'workflowId')::uuid, statuses, p_filter -> 'sources', (p_filter ->> 'from')::timestamptz,
    (p_filter ->> 'to')::timestamptz, words, (p_after ->> 'startedAt')::timestamptz, (p_after ->> 'id')::uuid, p_limit;
end;
$$;

select private.studio_grant_calls('public.studio_find_runs(jsonb, integer, jsonb)', 'authenticated', 'service_role');
