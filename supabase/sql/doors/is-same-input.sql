-- Whether two inputs say the same. A file that is sent twice is stored twice: its content, name and type count, not its id.
create or replace function private.studio_is_same_input(p_one jsonb, p_other jsonb) returns boolean
language sql immutable set search_path = ''
as $$
  select p_one is not distinct from p_other or
    regexp_replace(p_one::text, '"\$file": "[0-9a-f-]{36}"', '"$file": ""', 'g')
    = regexp_replace(p_other::text, '"\$file": "[0-9a-f-]{36}"', '"$file": ""', 'g');
$$;

select private.studio_grant_calls('private.studio_is_same_input(jsonb, jsonb)');
