-- The first step. Doing it again changes nothing.
create or replace function private.studio_begin_deletion(p_user uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  insert into private.studio_deletions (owner, steps)
  select users.id, (
    select jsonb_agg(jsonb_build_object('name', tables.name, 'condition', tables.condition) order by tables.place)
    from private.studio_owned_tables() with ordinality as tables (name, condition, place)
  )
  from auth.users as users where users.id = p_user
  on conflict do nothing;
  if not found then
    return;
  end if;
  -- The address is free at once, and a password or a link for the old one finds nobody.
  update auth.users as users set
    email = 'deleted-' || users.id || '@deleted.invalid', encrypted_password = '', phone = null, recovery_token = '',
    raw_user_meta_data = '{}', banned_until = now() + interval '100 years', updated_at = now()
  where users.id = p_user;
  delete from auth.identities where user_id = p_user;
  perform private.studio_end_sessions(p_user, null);

  delete from private.studio_api_key_hashes as hashes using public.studio_api_keys as keys
  where keys.owner = p_user and hashes.key_id = keys.id;
  delete from private.studio_credential_secrets as secrets using public.studio_credentials as credentials
  where credentials.owner = p_user and secrets.credential_id = credentials.id;
  delete from public.studio_doors as doors where doors.owner = p_user;
  delete from public.studio_shared_runs as shared where shared.owner = p_user;
  delete from private.studio_chat_sessions as sessions using public.studio_publications as publications
  where publications.owner = p_user and sessions.workflow_id = publications.workflow_id;
  delete from private.studio_chat_sessions as sessions where sessions.subject = 'account ' || p_user;

  -- Nobody is told of runs that end here.
  delete from private.studio_collectors as collectors using public.studio_publications as publications
  where publications.owner = p_user and collectors.workflow_id = publications.workflow_id;
  delete from private.studio_notices as notices where notices.owner = p_user;
  update public.studio_triggers as triggers set enabled = false where triggers.owner = p_user;
  update public.studio_publications as publications set live = null, staging = null, on_failure = null
  where publications.owner = p_user;
  delete from private.studio_run_jobs as jobs where jobs.owner = p_user;
  delete from private.studio_queue_checks as checks where checks.owner = p_user;
  -- Their workers find themselves fenced off at their next word. What is queued or waits is taken up by none.
  update public.studio_runs as runs set
    status = 'cancelled', cancel_requested_at = now(), ended_at = now(), lease_until = null
  where runs.owner = p_user and runs.status = 'running' and runs.source <> 'editor';
end;
$$;

select private.studio_grant_calls('private.studio_begin_deletion(uuid)');

-- Whether a chore is not done for an owner for now. Nothing that reaches beyond the studio is done while it pauses.
create or replace function private.studio_is_set_aside(p_chore text, p_owner uuid) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from private.studio_chore_problems as problems
    where problems.owner = p_owner and (problems.chore = p_chore or problems.too_long) and problems.next_at > now()
  ) or (
    p_chore in ('schedules', 'waits', 'lost-runs', 'claims', 'queue', 'notices', 'traces')
    and exists (select from private.studio_pause)
  );
$$;

select private.studio_grant_calls('private.studio_is_set_aside(text, uuid)');

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
      where runs.id = job.run_id and runs.status = 'queued'
      for update skip locked;
      if not found then
        -- Changed by somebody right now, or a job of a run that is not queued any more, which is done with.
        passed := passed || job.id;
        delete from private.studio_run_jobs as jobs
        where jobs.id = job.id
          and not exists (select from public.studio_runs as runs where runs.id = job.run_id and runs.status = 'queued');
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

-- Gives the events of runs that were added in the month of p_at (UTC) a partition of their own, unless they have one. Rows of that
-- month that came before it move there from the default one; where these are very many they stay, and so does their month.
create or replace function private.studio_add_events_month(p_at timestamptz) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  starts constant timestamptz := date_trunc('month', p_at at time zone 'utc') at time zone 'utc';
  ends constant timestamptz := (date_trunc('month', p_at at time zone 'utc') + interval '1 month') at time zone 'utc';
  name constant text := 'studio_run_events_' || to_char(p_at at time zone 'utc', 'YYYY_MM');
begin
  -- What was there before partitions reaches to here.
  if starts < '2026-11-01 00:00:00+00' or to_regclass('private.' || name) is not null then
    return false;
  end if;
  if (
    select count(*) from (
      select from private.studio_run_events_other as early
      where early.run_added_at >= starts and early.run_added_at < ends limit 100001
    ) as few
  ) > 100000 then
    return false;
  end if;
  -- Nothing of that month comes to the default partition meanwhile.
  lock table private.studio_run_events_other in share row exclusive mode;
  execute format('create table private.%I (like public.studio_run_events including all)', name);
  perform private.studio_grant_rows(format('private.%I', name)::regclass);
  execute format(
    'with moved as (
       delete from private.studio_run_events_other as early where early.run_added_at >= $1 and early.run_added_at < $2 returning *
     )
     insert into private.%I select * from moved', name) using starts, ends;
  execute format(
    'alter table public.studio_run_events attach partition private.%I for values from (%L) to (%L)', name, starts, ends);
  return true;
end;
$$;

select private.studio_grant_calls('private.studio_add_events_month(timestamptz)');

-- Keeps the events of runs in partitions, one for each month in which runs were added: makes those of this month and the next, and
-- drops one that is over once nobody keeps a run of it, one at a time. Whether it did anything. Where others are in its way
-- for a tenth of a second, it is left for another time. What fails here keeps nobody's retention from its work.
create or replace function private.studio_arrange_run_events() returns boolean
language plpgsql security definer set search_path = '' set datestyle = 'ISO' set lock_timeout = '100ms'
as $$
declare
  part record;
  done boolean := false;
begin
  if not pg_try_advisory_xact_lock(7423006) then
    return false;
  end if;
  done := private.studio_add_events_month(now());
  done := private.studio_add_events_month(date_trunc('month', now()) + interval '1 month 1 day') or done;
  if done then
    return true;
  end if;
  for part in
    select bounds.part, coalesce(bounds.from_text::timestamptz, '-infinity') as starts, bounds.to_text::timestamptz as ends
    from (
      select inherits.inhrelid::regclass as part,
        (regexp_match(pg_get_expr(classes.relpartbound, classes.oid), 'FROM \(''([^'']+)''\)'))[1] as from_text,
        (regexp_match(pg_get_expr(classes.relpartbound, classes.oid), 'TO \(''([^'']+)''\)'))[1] as to_text
      from pg_catalog.pg_inherits as inherits
      join pg_catalog.pg_class as classes on classes.oid = inherits.inhrelid
      where inherits.inhparent = 'public.studio_run_events'::regclass
    ) as bounds
    where bounds.to_text::timestamptz <= now()
    order by 3
  loop
    done := private.studio_drop_events_part(part.part, part.starts, part.ends);
    exit when done;
  end loop;
  return done;
exception
  when lock_not_available or deadlock_detected then
    return false;
  when others then
    raise warning 'The partitions of events could not be arranged: %', sqlerrm;
    return false;
end;
$$;

select private.studio_grant_calls('private.studio_arrange_run_events()');

-- Drops a partition of the events of runs and takes what it held off its owners' usage, if none of them keeps a run whose events lie
-- there. Whether it is gone. Runs that nobody keeps any longer are deleted as ever, by the retention of their owners; while they
-- have very many events these go with them, row by row.
create or replace function private.studio_drop_events_part(p_part regclass, p_from timestamptz, p_to timestamptz) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  is_kept boolean;
  held record;
begin
  select exists (
    select from public.studio_runs as runs
    left join public.studio_settings as settings on settings.owner = runs.owner and settings.name = 'run-retention'
    where runs.added_at >= p_from and runs.added_at < p_to and (
      runs.status in ('queued', 'waiting')
      or (runs.status = 'running' and runs.updated_at >= now() - interval '1 day')
      or (settings.owner is not null and settings.value ->> 'keepDays' is null)
      or runs.updated_at >= now() - make_interval(days => coalesce(floor((settings.value ->> 'keepDays')::numeric)::integer, 90))
    )
  ) into is_kept;
  if is_kept then
    return false;
  end if;
  execute format('select count(*) > 100000 from (select from %s limit 100001) as few', p_part) into is_kept;
  if is_kept then
    return false;
  end if;
  execute format('lock table %s in share mode', p_part);
  for held in execute format(
    'select part.owner, count(*) as events, sum(64 + octet_length(part.event::text))::bigint as bytes
     from %s as part group by part.owner', p_part)
  loop
    perform private.studio_add_usage(held.owner, 0, -held.bytes, -held.events, 0, 0);
  end loop;
  execute format('drop table %s', p_part);
  return true;
end;
$$;

select private.studio_grant_calls('private.studio_drop_events_part(regclass, timestamptz, timestamptz)');
