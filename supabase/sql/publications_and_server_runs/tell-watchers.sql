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
