create or replace function private.studio_is_slug_free(p_slug text) returns boolean
language sql stable set search_path = ''
as $$
  select not exists (select 1 from public.studio_publications as publications where publications.slug = p_slug);
$$;

select private.studio_grant_calls('private.studio_is_slug_free(text)');
