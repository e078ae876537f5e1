-- What a chunk must fulfil for a question: words after a minus are absent in every form, "quoted" ones stand together in one of
-- them. Null where the question demands nothing.
create or replace function private.studio_required_words(p_languages text[], p_text text) returns tsquery
language plpgsql stable security invoker set search_path = ''
as $$
declare
  words constant text := private.studio_search_words(p_text);
  unspaced constant text := '[' || private.studio_unspaced_letters() || ']+';
  quotes constant boolean := position('"' in p_text) > 0 and position(' or ' in lower(p_text)) = 0;
  language text;
  parsed tsquery;
  phrase tsquery;
  phrases tsquery[] := '{}';
  run text;
  required tsquery;
begin
  foreach language in array p_languages || '{simple}' loop
    parsed := websearch_to_tsquery(('pg_catalog.' || language)::regconfig, words);
    -- The last is also compared without accents.
    select string_agg(found.parts[1], ' & ')::tsquery into phrase
    from regexp_matches(
      parsed::text || case language
        when 'simple' then ' ' || websearch_to_tsquery('pg_catalog.simple', public.studio_fold(words))::text else '' end,
      '(!''(?:[^'']|'''')+''|!\([^)]*\))', 'g'
    ) as found (parts);
    required := coalesce(required && phrase, phrase, required);
    select string_agg(found.parts[1], ' & ')::tsquery into phrase
    from regexp_matches(
      querytree(parsed), '(''(?:[^'']|'''')+''(?: <(?:-|\d+)> ''(?:[^'']|'''')+'')+)', 'g'
    ) as found (parts)
    where quotes;
    phrases := phrases || phrase;
  end loop;
  -- Where one language leaves a single word of the phrase, nothing has to stand together.
  if array_position(phrases, null) is null then
    foreach phrase in array phrases[2:] loop
      phrases[1] := phrases[1] || phrase;
    end loop;
    required := coalesce(required && phrases[1], phrases[1]);
  end if;
  for run in
    select found.runs[1]
    from regexp_matches(normalize(p_text, nfkc), '(?:^|\s)-"?(' || unspaced || ')', 'g') as found (runs)
  loop
    phrase := !! array_to_string(private.studio_pair_queries(run), ' & ')::tsquery;
    required := coalesce(required && phrase, phrase);
  end loop;
  for run in
    select inside.runs[1] from regexp_matches(normalize(p_text, nfkc), '(?:^|[^-])"([^"]*)"', 'g') as quoted (parts)
    cross join lateral regexp_matches(quoted.parts[1], '(' || unspaced || ')', 'g') as inside (runs)
    where quotes
  loop
    phrase := array_to_string(private.studio_pair_queries(run), ' & ')::tsquery;
    required := coalesce(required && phrase, phrase);
  end loop;
  return required;
end;
$$;

select private.studio_grant_calls('private.studio_required_words(text[], text)');
