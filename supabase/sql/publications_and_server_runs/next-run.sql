-- Takes the next run for p_lease_ms, of p_owner or of anybody, or gives no row. Whether a run may go on was decided when its job was
-- added, so this costs the same however long queues are, and no worker waits for another. An owner whose run cannot be taken is set
-- aside, and the next one is served.
create or replace function private.studio_next_run(
  p_worker text, p_lease_ms integer, p_most_lost integer default 5, p_owner uuid default null
) returns table (
  id uuid, owner uuid, workflow_id uuid, workflow_name text, source text, published_version integer, attempt integer,
  input jsonb, forked_from jsonb, trigger_id uuid, queued_at timestamptz, started_at timestamptz, cancelled boolean,
  limits jsonb, document jsonb, workflows jsonb
)
language plpgsql security definer set search_path = ''
as $$
declare
  claimed public.studio_runs%rowtype;
  job private.studio_run_jobs%rowtype;
  failed uuid[] := '{}';
  passed bigint[] := '{}';
begin
  perform set_config('lock_timeout', '500ms', true);
  perform private.studio_check_queue(p_owner);
  loop
    job := null;
    -- What another worker went away with comes first; it has kept its place.
    select runs.* into claimed from public.studio_runs as runs
    where runs.status = 'running' and runs.source <> 'editor' and runs.lease_until < now() and runs.lost + 1 < p_most_lost
      and (p_owner is null or runs.owner = p_owner) and runs.owner <> all (failed)
      and not private.studio_is_set_aside('claims', runs.owner)
      and not exists (select from private.studio_deletions as deletions where deletions.owner = runs.owner)
    order by runs.lease_until
    limit 1
    for update skip locked;
    if not found then
      select jobs.* into job from private.studio_run_jobs as jobs
      where (p_owner is null or jobs.owner = p_owner) and jobs.owner <> all (failed) and jobs.id <> all (passed)
        and not private.studio_is_set_aside('claims', jobs.owner)
        and not exists (select from private.studio_deletions as deletions where deletions.owner = jobs.owner)
      order by jobs.id
      limit 1
      for update skip locked;
      exit when not found;
      select runs.* into claimed from public.studio_runs as runs
      where runs.id = job.run_id
      for update skip locked;
      if not found or claimed.status <> 'queued' then
        -- Changed by somebody right now, or a job of a run that is not queued any more, which is done with.
        passed := passed || job.id;
        delete from private.studio_run_jobs as jobs
        where jobs.id = job.id
          and (select runs.status from public.studio_runs as runs where runs.id = job.run_id) is distinct from 'queued';
        continue;
      end if;
    end if;

    begin
      delete from private.studio_run_jobs as jobs where jobs.id = job.id;
      update public.studio_runs as runs set
        status = 'running', worker = p_worker, attempt = runs.attempt + 1,
        lost = case when claimed.status = 'running' then runs.lost + 1 else 0 end,
        lease_until = clock_timestamp() + make_interval(secs => p_lease_ms / 1000.0),
        started_at = case when runs.attempt = 0 then now() else runs.started_at end
      where runs.id = claimed.id
      returning runs.* into claimed;
      perform private.studio_end_chore('claims', claimed.owner);
      return query
        select claimed.id, claimed.owner, claimed.workflow_id, workflows.name, claimed.source, claimed.published_version,
          claimed.attempt, claimed.input -> 'value', claimed.forked_from, claimed.trigger_id, claimed.queued_at,
          claimed.started_at, claimed.cancel_requested_at is not null, publications.limits, versions.document,
          versions.workflows
        from public.studio_workflows as workflows
        join public.studio_publications as publications on publications.workflow_id = workflows.id
        join public.studio_published as versions
          on versions.workflow_id = workflows.id and versions.version = claimed.published_version
        where workflows.id = claimed.workflow_id;
      if found then
        -- Its place among the starts of a minute is free again after that minute.
        if claimed.attempt = 1 and exists (
          select from public.studio_publications as publications
          where publications.workflow_id = claimed.workflow_id and publications.limits -> 'perMinute' is not null
        ) then
          perform private.studio_check_later(claimed.owner, now() + interval '1 minute');
        end if;
        return;
      end if;
      update public.studio_runs as runs set
        status = 'failed', ended_at = now(), lease_until = null,
        error = jsonb_build_object(
          'code', 'internal', 'retryable', false, 'message', 'The published version of this run is gone.',
          'hint', 'Publish the workflow again and start a new run.')
      where runs.id = claimed.id;
    exception when others then
      -- Whoever names the owner notes it himself.
      if p_owner is not null then
        raise;
      end if;
      failed := failed || claimed.owner;
      perform private.studio_note_chore('claims', claimed.owner, sqlstate, sqlerrm);
    end;
  end loop;
end;
$$;

select private.studio_grant_calls('private.studio_next_run(text, integer, integer, uuid)', 'studio_worker');
