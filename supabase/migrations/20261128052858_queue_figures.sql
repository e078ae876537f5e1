-- How the queue of all accounts is, in figures only. The age of its first run is in seconds.
create or replace function private.studio_queue_figures() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return jsonb_build_object(
    'queued', (select count(*) from public.studio_runs where status = 'queued'),
    'running', (select count(*) from public.studio_runs where status = 'running' and source <> 'editor'),
    'waiting', (select count(distinct run_id) from public.studio_run_waits where decision is null),
    'workers', (select count(*) from private.studio_workers where seen_at > now() - interval '30 seconds'),
    'oldestSeconds', coalesce(
      (select extract(epoch from now() - min(queued_at)) from public.studio_runs where status = 'queued'), 0)
  );
end;
$$;

select private.studio_grant_calls('private.studio_queue_figures()', 'studio_worker');
