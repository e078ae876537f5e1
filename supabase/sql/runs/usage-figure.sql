-- A figure of a run's usage, which clients write: nothing where it is no number, and never so large that sums overflow.
create or replace function private.studio_usage_figure(p_value jsonb) returns numeric
language sql immutable
as $$
  select case when jsonb_typeof(p_value) = 'number' then least(greatest(p_value::numeric, 0), 1e9) else 0 end;
$$;

select private.studio_grant_calls('private.studio_usage_figure(jsonb)');
