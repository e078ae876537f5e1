-- Two counts by name, added up: the 200 largest.
create or replace function private.studio_add_counts(p_one jsonb, p_other jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_object_agg(sums.name, sums.total), '{}'::jsonb)
  from (
    select parts.key as name, sum(parts.value::integer) as total
    from (select * from jsonb_each_text(p_one) union all select * from jsonb_each_text(p_other)) as parts
    group by parts.key order by 2 desc, 1 limit 200
  ) as sums;
$$;

select private.studio_grant_calls('private.studio_add_counts(jsonb, jsonb)');
