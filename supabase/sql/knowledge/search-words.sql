-- A text as its words are compared: one form for each letter (NFKC), without soft hyphens, joiners, and the points and lengthening
-- that Hebrew and Arabic may be written with, and without the Arabic article, which is written as one with its word; what
-- studio_letter_pairs reads is left out.
create or replace function private.studio_search_words(p_text text) returns text
language sql immutable security invoker set search_path = ''
as $$
  select case
    when octet_length(p_text) = char_length(p_text) then p_text
    else regexp_replace(
      regexp_replace(
        regexp_replace(
          normalize(p_text, nfkc),
          '[\u00ad\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u200c-\u200f\u2060\ufeff]',
          '', 'g'),
        '(^|[^\u0620-\u06d3])[\u0648\u0641\u0628\u0643]?\u0627\u0644(?=[\u0620-\u06d3]{3})', '\1', 'g'),
      '[\u200b' || private.studio_unspaced_letters() || ']+', ' ', 'g')
  end;
$$;

select private.studio_grant_calls('private.studio_search_words(text)');
