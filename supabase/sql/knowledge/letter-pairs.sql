-- What stands for words where studio_unspaced_letters are written: all pairs of neighbouring letters, each with the marks above and
-- below it, and the last letter of each run by itself, so that every letter begins an entry.
create or replace function private.studio_letter_pairs(p_text text) returns text[]
language plpgsql immutable security invoker set search_path = ''
as $$
declare
  letters constant text := private.studio_unspaced_letters();
  -- A Khmer or Burmese letter may stand below another one.
  letter constant text := '[' || letters || '](?:[\u17d2\u1039][' || letters || ']|'
    || '[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u0f71-\u0f84\u0f90-\u0fbc\u102b-\u103e\u1056-\u1059'
    || '\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u17b4-\u17d1\u17d3])*';
  pair constant text := '(' || letter || letter || ')';
  composed text;
  runs text;
begin
  if octet_length(p_text) = char_length(p_text) then
    return '{}';
  end if;
  composed := normalize(p_text, nfkc);
  if composed !~ ('[' || letters || ']') then
    return '{}';
  end if;
  runs := regexp_replace(composed, '[^' || letters || ']+', ' ', 'g');
  return array(
    select distinct part from unnest(string_to_array(
      -- From the first letter of each run on, and from the second one.
      regexp_replace(runs, pair, '\1 ', 'g') || ' '
        || regexp_replace(regexp_replace(runs, '(^| )' || letter, '\1', 'g'), pair, '\1 ', 'g'),
      ' ')) as part
    where part <> ''
  );
end;
$$;

select private.studio_grant_calls('private.studio_letter_pairs(text)');
