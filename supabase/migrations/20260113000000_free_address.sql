-- Addresses of publications are unique in the whole studio, where row level security shows a person only their own. So the
-- first proposal comes from here.

create function private.studio_is_slug_free(p_slug text) returns boolean
language sql stable set search_path = ''
as $$
  select not exists (select 1 from public.studio_publications as publications where publications.slug = p_slug);
$$;

revoke all on function private.studio_is_slug_free(text) from public, anon, authenticated, service_role;

-- The address itself where no workflow has it, else the first of `address-2`, `address-3` … that is free.
create function public.studio_free_slug(p_slug text) returns text
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

revoke all on function public.studio_free_slug(text) from public, anon;
grant execute on function public.studio_free_slug(text) to authenticated, service_role;
