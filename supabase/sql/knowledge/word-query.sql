-- What a word may have become in documents in p_languages: its stems, and itself.
create or replace function private.studio_word_query(p_languages text[], p_word text) returns tsquery
language plpgsql stable security invoker set search_path = ''
as $$
declare
  written constant tsquery := plainto_tsquery('pg_catalog.simple', public.studio_fold(p_word));
  found tsquery := written;
  stemmed tsquery;
  language text;
begin
  foreach language in array p_languages loop
    stemmed := phraseto_tsquery(('pg_catalog.' || language)::regconfig, p_word);
    if numnode(stemmed) > 0 and stemmed <> written then
      found := found || stemmed;
    end if;
  end loop;
  return found;
end;
$$;

select private.studio_grant_calls('private.studio_word_query(text[], text)');
