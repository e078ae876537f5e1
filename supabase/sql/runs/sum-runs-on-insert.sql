create or replace function private.studio_sum_runs_on_insert()
 RETURNS trigger
language plpgsql security definer set search_path = ''
as $function$
       begin 
    insert into private.studio_run_sums as sums select runs.owner, part.kind, span.wide, private.studio_sum_start(runs.started_at, span.wide) as at,
      part.workflow_id, part.provider, part.model, sum(runs.sign * part.runs)::bigint as runs,
      sum(runs.sign * part.calls)::bigint as calls, sum(runs.sign * part.unpriced_calls)::bigint as unpriced_calls,
      sum(runs.sign * part.input_tokens)::bigint as input_tokens,
      sum(runs.sign * part.output_tokens)::bigint as output_tokens, sum(runs.sign * part.cost_usd) as cost_usd
    from (select owner, started_at, workflow_id, usage, is_trial, 1 as sign from added) as runs
    cross join lateral private.studio_run_parts(runs.workflow_id, runs.usage, runs.is_trial) as part
    cross join (values (false), (true)) as span (wide)
    group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7
    on conflict (owner, kind, wide, at, workflow_id, provider, model) do update set
      runs = sums.runs + excluded.runs, calls = sums.calls + excluded.calls,
      unpriced_calls = sums.unpriced_calls + excluded.unpriced_calls,
      input_tokens = sums.input_tokens + excluded.input_tokens,
      output_tokens = sums.output_tokens + excluded.output_tokens, cost_usd = sums.cost_usd + excluded.cost_usd;
         return null;
       end;
       $function$;

select private.studio_grant_calls('private.studio_sum_runs_on_insert()');
