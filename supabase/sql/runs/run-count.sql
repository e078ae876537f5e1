-- How many runs the caller has, those of tests or all others, of which none is read for it.
create or replace function public.studio_run_count(p_trials boolean) returns bigint
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  return (
    select coalesce(case when p_trials then counted.trials else counted.runs - counted.trials end, 0)::bigint
    from (
      select sum(sums.runs) filter (where sums.kind = 'time') as runs,
        coalesce(sum(sums.runs) filter (where sums.kind = 'trial'), 0) as trials
      from private.studio_run_sums as sums
      where sums.owner = caller and sums.kind in ('time', 'trial') and sums.wide
    ) as counted
  );
end;
$$;

select private.studio_grant_calls('public.studio_run_count(boolean)', 'authenticated', 'service_role');
