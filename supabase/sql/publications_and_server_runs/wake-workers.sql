-- Wakes workers that listen; the embedded database has none, and its workers are told by the studio.
create or replace function private.studio_wake_workers() returns void
language sql volatile set search_path = ''
as $$
  select pg_notify('studio_runs', '');
$$;

select private.studio_grant_calls('private.studio_wake_workers()');
