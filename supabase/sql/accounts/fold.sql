-- Names as they are searched: in small letters, without accents. Like the next one it has no search path of its own, which
-- would keep Postgres from putting its body in the place of the call; it names everything in full instead.
create or replace function public.studio_fold(p_text text) returns text
language sql immutable security invoker
as $$
  select case
    when pg_catalog.octet_length(p_text) = pg_catalog.char_length(p_text) then pg_catalog.lower(p_text)
    else pg_catalog.regexp_replace(
      pg_catalog.normalize(pg_catalog.lower(p_text), 'NFKD'), '[\u0300-\u036f]', '', 'g')
  end;
$$;

select private.studio_grant_calls('public.studio_fold(text)', 'authenticated', 'service_role');
