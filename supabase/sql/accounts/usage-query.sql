-- Of one row as `item`: what its bytes and its upload come to, as expressions of the trigger's arguments.
create or replace function private.studio_usage_query(p_from text, p_sign integer, p_bytes text, p_uploads text) returns text
language sql immutable set search_path = ''
as $$
  select format(
    'select item.owner, %1$s::bigint as items, %1$s * (64 + coalesce(%3$s, 0))::bigint as bytes,
       %1$s * coalesce(%4$s, 0)::bigint as uploads from %2$I as item',
    p_sign, p_from, p_bytes, p_uploads);
$$;

select private.studio_grant_calls('private.studio_usage_query(text, integer, text, text)');
