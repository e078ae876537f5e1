-- Subject: publications_and_server_runs
-- Who follows which run on a hosted project, and when Realtime last told of it.
create table private.studio_watched_runs (
  run_id uuid primary key references public.studio_runs (id) on delete cascade,
  until timestamptz not null,
  told_at timestamptz not null default '-infinity'
);

select private.studio_grant_rows('private.studio_watched_runs');

-- Tells those who follow a run that something of it was stored, five times a second at most: a change that comes within 200 ms of
-- what was told is not told again, so followers look once more a moment later.
create or replace function private.studio_tell_watchers() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update private.studio_watched_runs as watched set told_at = clock_timestamp()
  where watched.run_id = new.id and watched.until > now() and watched.told_at <= clock_timestamp() - interval '200 milliseconds';
  if found then
    begin
      execute 'select realtime.send($1, $2, $3, true)' using '{}'::jsonb, 'changed', 'studio-run:' || new.id;
    exception when others then
      -- Nobody's run waits for a hint: whoever follows it looks now and then all the same.
      null;
    end;
  end if;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_tell_watchers()');

-- The caller follows a run: for the next 90 seconds Realtime tells of its changes on the private channel `studio-run:<id>`. False
-- where there is no Realtime, and for a run that is not the caller's.
create or replace function public.studio_watch_run(p_run_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is null or not exists (
    select from public.studio_runs as runs where runs.id = p_run_id and runs.owner = caller and runs.source <> 'editor'
  ) then
    return false;
  end if;
  delete from private.studio_watched_runs as watched where watched.until < now();
  insert into private.studio_watched_runs as watched (run_id, until) values (p_run_id, now() + interval '90 seconds')
  on conflict (run_id) do update set until = excluded.until;
  return true;
end;
$$;

select private.studio_grant_calls('public.studio_watch_run(uuid)', 'authenticated');

-- Whatever is stored of a run renews its lease or changes its status.
create trigger studio_runs_tell_watchers after update of lease_until, status, cancel_requested_at on public.studio_runs
for each row when (new.source <> 'editor') execute function private.studio_tell_watchers();

-- Only the owner of a run hears what is told of it, and nobody may write to its channel.
do $$
begin
  if to_regclass('realtime.messages') is not null then
    create policy studio_own_runs on realtime.messages for select to authenticated using (
      realtime.messages.extension = 'broadcast' and exists (
        select from public.studio_runs as runs
        where runs.owner = (select auth.uid()) and runs.id = (
          select case
            when realtime.topic() ~ '^studio-run:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr(realtime.topic(), 12)::uuid
          end
        )
      )
    );
  end if;
exception when insufficient_privilege then
  raise notice 'Realtime takes no policy from this role: pages look at their runs now and then.';
end;
$$;
