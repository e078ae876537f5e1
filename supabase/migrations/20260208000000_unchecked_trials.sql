-- A trial that nothing checks is "unchecked" and no longer "passed", and a case's expected answer is compared by itself.

alter table public.studio_evaluations drop constraint studio_evaluations_status_check;
alter table public.studio_evaluations add constraint studio_evaluations_status_check
  check (status in ('running', 'passed', 'failed', 'unchecked', 'too-little-evidence', 'not-run'));

-- Results that were called passed although nothing checked some of their trials. The trials are read anew.
update public.studio_evaluations as evaluations set status = 'unchecked'
where evaluations.status = 'passed' and exists (
  select 1 from public.studio_trials as trials
  where trials.evaluation_id = evaluations.id and trials.owner = evaluations.owner
    and trials.result ->> 'status' = 'passed'
    and not jsonb_path_exists(trials.result, '$.assertions[*] ? (@.weight > 0)')
);

-- Suites whose next result may differ for this reason alone: they are named to their owner once.
alter table public.studio_suites add column checks_changed boolean not null default false;

-- That a suite was named is no change of it. Changes of cases set the time themselves.
drop trigger studio_suites_touch on public.studio_suites;
create trigger studio_suites_touch before update of name, settings on public.studio_suites
  for each row execute function public.studio_touch_updated_at();

update public.studio_suites as suites set checks_changed = true
where exists (
  select 1 from public.studio_cases as cases
  where cases.suite_id = suites.id and cases.owner = suites.owner and cases.removed_at is null
    and case
      when btrim(coalesce(cases.body ->> 'expected', ''), E' \t\r\n') not in ('', '[]', '{}') then
        -- Compared from now on, where no assertion names it and it was not written down from a run.
        coalesce(suites.settings ->> 'defaultAssert', '') !~ '\yexpected\y'
        and coalesce(cases.body ->> 'assert', '') !~ '\yexpected\y'
        and not (
          cases.body ? 'source' and jsonb_path_exists(cases.body, '$.assert[*]')
        )
      else
        not jsonb_path_exists(suites.settings, '$.defaultAssert[*] ? (!exists(@.weight) || @.weight > 0)')
        and not jsonb_path_exists(cases.body, '$.assert[*] ? (!exists(@.weight) || @.weight > 0)')
    end
);

create index studio_suites_checks_changed on public.studio_suites (owner) where checks_changed;
grant update (checks_changed) on table public.studio_suites to authenticated;
