-- How many workers have been there in the last half minute, and what is queued, running and waiting for the caller.
create or replace function public.studio_queue_state() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  return (
    select jsonb_build_object(
      'workers', (select count(*) from private.studio_workers where seen_at > now() - interval '30 seconds'),
      'queued', count(*) filter (where runs.status = 'queued'),
      'running', count(*) filter (where runs.status = 'running'),
      'waiting', count(*) filter (where runs.status = 'waiting')
    )
    from public.studio_runs as runs
    where runs.owner = caller and runs.source <> 'editor' and runs.status in ('queued', 'running', 'waiting')
  );
end;
$$;

select private.studio_grant_calls('public.studio_queue_state()', 'authenticated', 'service_role');
