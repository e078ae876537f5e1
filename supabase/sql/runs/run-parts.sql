-- What one run adds to the sums of its moment. It never raises, since a run has to end. Models of a run beyond the fiftieth are
-- added up without their names.
create or replace function private.studio_run_parts(p_workflow_id uuid, p_usage jsonb, p_is_trial boolean)
returns table (
  kind text, workflow_id uuid, provider text, model text, runs bigint, calls bigint, unpriced_calls bigint,
  input_tokens bigint, output_tokens bigint, cost_usd numeric
)
language sql immutable
as $$
  with used as (
    select
      case when given.place <= 50 then left(coalesce(given.value ->> 'provider', ''), 200) else '' end as provider,
      case when given.place <= 50 then left(coalesce(given.value ->> 'model', ''), 200) else '' end as model,
      trunc(private.studio_usage_figure(given.value -> 'calls'))::bigint as calls,
      given.value ->> 'costUsd' is null as unpriced,
      trunc(private.studio_usage_figure(given.value -> 'inputTokens'))::bigint as input_tokens,
      trunc(private.studio_usage_figure(given.value -> 'outputTokens'))::bigint as output_tokens,
      private.studio_usage_figure(given.value -> 'costUsd') as cost_usd
    from jsonb_array_elements(coalesce(p_usage, '[]'::jsonb)) with ordinality as given (value, place)
  ), total as (
    select coalesce(sum(used.calls), 0)::bigint as calls,
      coalesce(sum(used.calls) filter (where used.unpriced), 0)::bigint as unpriced_calls,
      coalesce(sum(used.input_tokens), 0)::bigint as input_tokens,
      coalesce(sum(used.output_tokens), 0)::bigint as output_tokens, coalesce(sum(used.cost_usd), 0) as cost_usd
    from used
  )
  select 'time', '00000000-0000-0000-0000-000000000000'::uuid, '', '', 1::bigint, total.* from total
  union all
  select 'workflow', p_workflow_id, '', '', 1, total.* from total
  union all
  select 'model', '00000000-0000-0000-0000-000000000000', used.provider, used.model, 0, sum(used.calls)::bigint,
    coalesce(sum(used.calls) filter (where used.unpriced), 0)::bigint, sum(used.input_tokens)::bigint,
    sum(used.output_tokens)::bigint, sum(used.cost_usd)
  from used group by used.provider, used.model
  union all
  select 'trial', '00000000-0000-0000-0000-000000000000', '', '', 1, 0, 0, 0, 0, 0 where p_is_trial;
$$;

select private.studio_grant_calls('private.studio_run_parts(uuid, jsonb, boolean)');
