-- Foreign keys that led no index: deleting a parent would read the whole table.
create index studio_published_of_publication on public.studio_published (workflow_id, owner);
create index studio_triggers_of_publication on public.studio_triggers (workflow_id, owner);
create index studio_run_waits_of_run on public.studio_run_waits (run_id, owner);
create index studio_run_waits_of_owner on public.studio_run_waits (owner);
drop index public.studio_runs_of_trigger;
create index studio_runs_of_trigger on public.studio_runs (trigger_id);
