create or replace function private.studio_sum_runs_on_delete()
 RETURNS trigger
language plpgsql security definer set search_path = ''
as $function$
       begin 
    update private.studio_run_sums as sums set
      runs = sums.runs + changes.runs, calls = sums.calls + changes.calls,
      unpriced_calls = sums.unpriced_calls + changes.unpriced_calls,
      input_tokens = sums.input_tokens + changes.input_tokens,
      output_tokens = sums.output_tokens + changes.output_tokens, cost_usd = sums.cost_usd + changes.cost_usd
    from (select runs.owner, part.kind, span.wide, private.studio_sum_start(runs.started_at, span.wide) as at,
      part.workflow_id, part.provider, part.model, sum(runs.sign * part.runs)::bigint as runs,
      sum(runs.sign * part.calls)::bigint as calls, sum(runs.sign * part.unpriced_calls)::bigint as unpriced_calls,
      sum(runs.sign * part.input_tokens)::bigint as input_tokens,
      sum(runs.sign * part.output_tokens)::bigint as output_tokens, sum(runs.sign * part.cost_usd) as cost_usd
    from (select owner, started_at, workflow_id, usage, is_trial, -1 as sign from removed) as runs
    cross join lateral private.studio_run_parts(runs.workflow_id, runs.usage, runs.is_trial) as part
    cross join (values (false), (true)) as span (wide)
    group by 1, 2, 3, 4, 5, 6, 7) as changes
    where sums.owner = changes.owner and sums.kind = changes.kind and sums.wide = changes.wide and sums.at = changes.at
      and sums.workflow_id = changes.workflow_id and sums.provider = changes.provider and sums.model = changes.model;
    delete from private.studio_run_sums as sums
    using (
      select removed.owner, span.wide, private.studio_sum_start(removed.started_at, span.wide) as at
      from removed cross join (values (false), (true)) as span (wide) group by 1, 2, 3
    ) as touched
    where sums.owner = touched.owner and sums.kind in ('time', 'workflow', 'model', 'trial') and sums.wide = touched.wide
      and sums.at = touched.at and sums.runs = 0 and sums.calls = 0 and sums.input_tokens = 0 and sums.output_tokens = 0
      and sums.cost_usd = 0;
         return null;
       end;
       $function$;

select private.studio_grant_calls('private.studio_sum_runs_on_delete()');
