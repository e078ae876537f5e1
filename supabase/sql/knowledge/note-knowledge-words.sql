create or replace function private.studio_note_knowledge_words() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- In order, so that two ingests at once wait for each other instead of locking each other out.
  insert into public.studio_knowledge_words (owner, collection_id, word)
  select distinct added.owner, added.collection_id, words.lexeme
  from added
  cross join lateral unnest(
    to_tsvector('pg_catalog.simple', private.studio_search_words(added.heading || ' ' || added.content))
  ) as words
  where char_length(words.lexeme) between 4 and 40 and words.lexeme !~ '[0-9/.:@]'
  order by added.collection_id, words.lexeme
  on conflict do nothing;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_note_knowledge_words()');
