-- Letters of scripts that put no blanks between words (Thai, Lao, Tibetan, Burmese, Khmer, Kana, Han), and of Korean, which puts
-- particles behind its words, as they stand within the brackets of a regular expression.
create or replace function private.studio_unspaced_letters() returns text
language sql immutable security invoker set search_path = ''
as $$
  select '\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ebd\u0ec0-\u0ecd\u0edc-\u0edf\u0f40-\u0fbc\u1000-\u103f\u1050-\u108f\u1780-\u17d3'
    || '\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff';
$$;

select private.studio_grant_calls('private.studio_unspaced_letters()');
