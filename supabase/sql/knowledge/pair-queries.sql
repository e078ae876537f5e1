-- What a run of unspaced letters is looked for by: its pairs; a single letter by all entries that begin with it.
create or replace function private.studio_pair_queries(p_run text) returns tsquery[]
language sql immutable security invoker set search_path = ''
as $$
  select case
    when cardinality(found.pairs) = 1 then array[(quote_literal(found.pairs[1]) || ':*')::tsquery]
    else array(
      select quote_literal(pair)::tsquery from unnest(found.pairs) as pair
      -- Not the last letter by itself.
      where pair <> (
        select ending from unnest(found.pairs) as ending where right(p_run, char_length(ending)) = ending
        order by char_length(ending) limit 1
      )
      order by position(pair in p_run)
    )
  end
  from (select private.studio_letter_pairs(p_run) as pairs) as found;
$$;

select private.studio_grant_calls('private.studio_pair_queries(text)');
