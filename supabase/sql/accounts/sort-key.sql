-- Names as they are sorted: 2 before 10, whatever the database's own order of letters is. Numbers count to twelve digits.
create or replace function public.studio_sort_key(p_name text) returns text
language sql immutable security invoker
as $$
  select pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(public.studio_fold(p_name), '([0-9]+)', '00000000000\1', 'g'),
    '[0-9]*([0-9]{12})', '\1', 'g') collate "C";
$$;

select private.studio_grant_calls('public.studio_sort_key(text)', 'authenticated', 'service_role');
