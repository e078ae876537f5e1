-- Patterns for LIKE, one for each word of a search.
create or replace function public.studio_search_patterns(p_search text) returns text[]
language sql immutable security invoker set search_path = ''
as $$
  select coalesce(array_agg('%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%'), '{}')
  from regexp_split_to_table(public.studio_fold(left(p_search, 200)), '\s+') as word
  where word <> '';
$$;

select private.studio_grant_calls('public.studio_search_patterns(text)', 'authenticated', 'service_role');
