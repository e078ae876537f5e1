-- Takes the next moment at which sources may ask a host, p_ms milliseconds after the one before, whoever asks: how many milliseconds
-- until then.
create or replace function private.studio_take_host_turn(p_owner uuid, p_host text, p_ms integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  moment constant timestamptz := clock_timestamp();
  free_at timestamptz;
begin
  perform private.studio_limit_waiting();
  delete from private.studio_source_hosts as hosts where hosts.next_at < moment - interval '1 hour';
  insert into private.studio_source_hosts as hosts (host, next_at)
  values (p_host, moment + make_interval(secs => p_ms / 1000.0))
  on conflict (host) do update
  set next_at = greatest(hosts.next_at, moment) + make_interval(secs => p_ms / 1000.0)
  returning hosts.next_at - make_interval(secs => p_ms / 1000.0) into free_at;
  return ceil(extract(epoch from free_at - moment) * 1000)::integer;
end;
$$;

select private.studio_grant_calls('private.studio_take_host_turn(uuid, text, integer)', 'studio_worker');
