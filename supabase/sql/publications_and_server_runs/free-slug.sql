-- The address itself where no workflow has it, else the first of `address-2`, `address-3` … that is free.
create or replace function public.studio_free_slug(p_slug text) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  candidate text := p_slug;
  suffix text;
begin
  if caller is null or p_slug !~ '^[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?$' then
    raise exception 'invalid_slug' using errcode = '22023';
  end if;
  for number in 2..100 loop
    exit when private.studio_is_slug_free(candidate);
    suffix := '-' || number;
    candidate := rtrim(left(p_slug, 60 - length(suffix)), '-') || suffix;
  end loop;
  return candidate;
end;
$$;

select private.studio_grant_calls('public.studio_free_slug(text)', 'authenticated', 'service_role');
