-- Takes the next run for p_lease_ms, or gives no row: of p_owner, or of anybody. Strict: claims of one owner come one after the
-- other, and a run whose workflow or owner has as many running as it may is passed over. An owner whose run cannot be taken is set
-- aside, and the next one is served.
create or replace function private.studio_claim_run(
  p_worker text, p_lease_ms integer, p_most_of_owner integer default 10, p_most_lost integer default 5,
  p_owner uuid default null
) returns table (
  id uuid, owner uuid, workflow_id uuid, workflow_name text, source text, published_version integer, attempt integer,
  input jsonb, forked_from jsonb, trigger_id uuid, queued_at timestamptz, started_at timestamptz, cancelled boolean,
  limits jsonb, document jsonb, workflows jsonb
)
language plpgsql security definer set search_path = ''
as $$
declare
  claimed public.studio_runs%rowtype;
  candidate uuid;
  -- Owners who have been looked at, and those of them with whom another worker was busy.
  tried uuid[] := '{}';
  busy uuid[] := '{}';
  waits boolean := false;
begin
  perform set_config('lock_timeout', '500ms', true);
  loop
    -- What another worker went away with comes first.
    select runs.owner into candidate
    from public.studio_runs as runs
    where runs.status = 'running' and runs.source <> 'editor' and runs.lease_until < now() and runs.lost + 1 < p_most_lost
      and (p_owner is null or runs.owner = p_owner) and runs.owner <> all (tried)
      and not private.studio_is_set_aside('claims', runs.owner)
    order by runs.lease_until
    limit 1;
    if not found then
      select runs.owner into candidate
      from public.studio_runs as runs
        where runs.status = 'queued' and (p_owner is null or runs.owner = p_owner) and runs.owner <> all (tried)
        and not private.studio_is_set_aside('claims', runs.owner)
      order by runs.queued_at
      limit 1;
    end if;
    if not found then
      exit when waits or cardinality(busy) = 0;
      waits := true;
      tried := array(select unnest(tried) except select unnest(busy));
      continue;
    end if;
    tried := tried || candidate;
    if not waits and not pg_try_advisory_xact_lock(7423004, hashtext(candidate::text)) then
      busy := busy || candidate;
      continue;
    end if;
    if waits then
      begin
        perform pg_advisory_xact_lock(7423004, hashtext(candidate::text));
      exception when lock_not_available or deadlock_detected then
        continue;
      end;
    end if;

    begin
      select runs.* into claimed
      from public.studio_runs as runs
      where runs.owner = candidate and runs.status = 'running' and runs.source <> 'editor' and runs.lease_until < now()
        and runs.lost + 1 < p_most_lost
        and private.studio_may_run(runs.owner, runs.workflow_id, true, p_most_of_owner)
      order by runs.lease_until
      limit 1
      for update skip locked;
      if not found then
        select runs.* into claimed
        from public.studio_runs as runs
        where runs.owner = candidate and runs.status = 'queued'
          and private.studio_may_run(runs.owner, runs.workflow_id, runs.attempt > 0, p_most_of_owner)
        order by runs.queued_at
        limit 1
        for update skip locked;
      end if;
      if found then
        update public.studio_runs as runs set
          status = 'running', worker = p_worker, attempt = runs.attempt + 1,
          lost = case when claimed.status = 'running' then runs.lost + 1 else 0 end,
          lease_until = clock_timestamp() + make_interval(secs => p_lease_ms / 1000.0),
          started_at = case when runs.attempt = 0 then now() else runs.started_at end
        where runs.id = claimed.id
        returning runs.* into claimed;
        perform private.studio_end_chore('claims', candidate);
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
          return;
        end if;
        update public.studio_runs as runs set
          status = 'failed', ended_at = now(), lease_until = null,
          error = jsonb_build_object(
            'code', 'internal', 'retryable', false, 'message', 'The published version of this run is gone.',
            'hint', 'Publish the workflow again and start a new run.')
        where runs.id = claimed.id;
        tried := array_remove(tried, candidate);
      end if;
    exception when others then
      -- Whoever names the owner notes it himself.
      if p_owner is not null then
        raise;
      end if;
      perform private.studio_note_chore('claims', candidate, sqlstate, sqlerrm);
    end;
  end loop;
end;
$$;

select private.studio_grant_calls('private.studio_claim_run(text, integer, integer, integer, uuid)', 'studio_worker');
