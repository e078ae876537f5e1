-- What a chunk is found by: its words by the stemmer of their language, as they are written (in small letters, without accents),
-- and the pairs of studio_letter_pairs. Only the stems have places and weights.
create or replace function private.studio_search_vector(p_language text, p_heading text, p_content text) returns tsvector
language plpgsql stable security invoker set search_path = ''
as $$
declare
  stemmer constant regconfig := 'pg_catalog.' || p_language;
  heading constant text := private.studio_search_words(p_heading);
  content constant text := private.studio_search_words(p_content);
begin
  return setweight(to_tsvector(stemmer, heading), 'A') || to_tsvector(stemmer, content)
    || strip(to_tsvector('pg_catalog.simple', public.studio_fold(heading || ' ' || content)))
    || array_to_tsvector(private.studio_letter_pairs(p_heading || ' ' || p_content));
end;
$$;

select private.studio_grant_calls('private.studio_search_vector(text, text, text)');
