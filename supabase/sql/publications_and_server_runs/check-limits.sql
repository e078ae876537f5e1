-- Refuses limits of a publication or a key by which the database could not count: raises what they have to be.
create or replace function private.studio_check_limits(p_limits jsonb) returns void
language plpgsql immutable set search_path = ''
as $$
declare
  wrong text;
begin
  if jsonb_typeof(p_limits) <> 'object' then
    raise exception 'The limits have to be an object.' using errcode = '22023';
  end if;
  select each_one.key into wrong from jsonb_each(p_limits) as each_one
  where each_one.key in ('runUsd', 'dayUsd', 'monthUsd', 'concurrent', 'perMinute') and case jsonb_typeof(each_one.value)
    when 'number' then (each_one.value #>> '{}')::numeric not between 0 and 1000000000000 else true end
  limit 1;
  if wrong is not null then
    raise exception 'The limit % has to be a number from 0 to a trillion.', wrong using errcode = '22023';
  end if;
end;
$$;

select private.studio_grant_calls('private.studio_check_limits(jsonb)');
