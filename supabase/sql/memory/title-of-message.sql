-- One line of a remembered message: its text, or else the name of its first file.
create or replace function private.studio_title_of_message(p_content text, p_message jsonb) returns text
language sql immutable set search_path = ''
as $$
  select coalesce(private.studio_title_of(p_content), private.studio_title_of(p_message -> 'files' -> 0 ->> 'name'));
$$;

select private.studio_grant_calls('private.studio_title_of_message(text, jsonb)');
