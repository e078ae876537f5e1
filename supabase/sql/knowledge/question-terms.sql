-- What a question is looked for by, in a collection of documents in p_languages: at most 16 of its words, each with what it may have
-- become, without the stop words of the language that most of its words are stop words of, and 40 pairs of letters, whose `word`
-- is null. `importance` is that beside the other terms.
create or replace function private.studio_question_terms(p_languages text[], p_text text)
returns table (word text, term tsquery, importance double precision)
language plpgsql stable rows 10 security invoker set search_path = ''
as $$
declare
  words constant text := private.studio_search_words(p_text);
  unspaced constant text := '[' || private.studio_unspaced_letters() || ']+';
  own constant text[] := array(
    select counted.language from (
      select known.language, rank() over (order by count(*) desc) as place
      from unnest(array_remove(p_languages, 'simple') || array['english']) as known (language)
      cross join unnest(to_tsvector('pg_catalog.simple', words)) as said
      where ts_lexize(('pg_catalog.' || known.language || '_stem')::regdictionary, said.lexeme) = '{}'
      group by known.language
    ) as counted where counted.place = 1
  );
begin
  return query
    select said.word, private.studio_word_query(p_languages, said.word), 1::double precision
    from (
      select found.parts[1] as word, found.place
      from regexp_matches(querytree(websearch_to_tsquery('pg_catalog.simple', words)), '''((?:[^'']|'''')+)''', 'g')
        with ordinality as found (parts, place)
      limit 40
    ) as said
    where not exists (
      select from unnest(own) as known (language)
      where ts_lexize(('pg_catalog.' || known.language || '_stem')::regdictionary, said.word) = '{}'
    )
    order by said.place limit 16;
  return query
    -- Hiragana are mostly endings, and these are what Chinese and Korean questions are made of.
    select null, pairs.term,
      case when pairs.term::text ~ ('[\u3041-\u309f的了吗嗎呢么麼们們是]|怎样|怎樣|如何|为什|為什|哪里|哪些|多少|可以|请问|請問|有没|没有|沒有|这个|那个|這個|那個|一个|一個|需要|'
        || '습니|니다|니까|합니|입니|나요|가요|어요|세요|인가|어떻|떻게|무엇|에서|으로|있나|있습|하고|싶어')
        then 0.1 else 1 end::double precision
    from regexp_matches(
      regexp_replace(normalize(p_text, nfkc), '(^|\s)-"?' || unspaced, ' ', 'g'), unspaced, 'g'
    ) as found (runs)
    cross join lateral unnest(private.studio_pair_queries(found.runs[1])) as pairs (term)
    limit 40;
end;
$$;

select private.studio_grant_calls('private.studio_question_terms(text[], text)');
