-- Counts calls that were let in already, whether or not they are within the limit.
create or replace function private.studio_count_calls(p_owner uuid, p_bucket text, p_calls integer) returns void
language sql volatile set search_path = ''
as $$
  insert into private.studio_rate_limits as counter (owner, bucket, window_start, used)
  select found.id, p_bucket, clock_timestamp(), p_calls from auth.users as found where found.id = p_owner and p_calls > 0
  on conflict (owner, bucket) do update set
    window_start = case
      when counter.window_start <= excluded.window_start - interval '1 minute' then excluded.window_start
      else counter.window_start
    end,
    used = case
      when counter.window_start <= excluded.window_start - interval '1 minute' then excluded.used
      else counter.used + excluded.used
    end;
$$;

select private.studio_grant_calls('private.studio_count_calls(uuid, text, integer)');
