-- The encrypted beginning of a question; null for what is none or is longer than a beginning can be.
create or replace function private.studio_sealed_title_of(p_message jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select p_message -> 'title'
  where jsonb_typeof(p_message -> 'sealed') = 'string' and jsonb_typeof(p_message -> 'title') = 'object'
    and octet_length((p_message -> 'title')::text) <= 4000;
$$;

select private.studio_grant_calls('private.studio_sealed_title_of(jsonb)');
