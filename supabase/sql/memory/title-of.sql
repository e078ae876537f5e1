-- One line of a message's text.
create or replace function private.studio_title_of(p_content text) returns text
language sql immutable set search_path = ''
as $$
  select nullif(left(btrim(regexp_replace(left(p_content, 1000), '\s+', ' ', 'g')), 200), '');
$$;

select private.studio_grant_calls('private.studio_title_of(text)');
