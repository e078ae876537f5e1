-- Credentials by name, of the given types (null: of all) or with the given ids (null: any).
create or replace function public.studio_list_credentials(
  p_search text, p_types text[], p_ids uuid[], p_after jsonb, p_limit integer
) returns table (
  id uuid, name text, type text, last_four text, allowed_hosts text[], settings jsonb, updated_at timestamptz,
  total bigint, place jsonb
)
language sql stable security invoker set search_path = ''
as $$
  with fitting as materialized (
    select credentials.id, credentials.name, credentials.type, credentials.last_four, credentials.allowed_hosts,
      credentials.settings, credentials.updated_at, public.studio_sort_key(credentials.name) as sort_key
    from public.studio_credentials as credentials
    where credentials.owner = (select auth.uid())
      and (p_types is null or credentials.type = any (p_types))
      and (p_ids is null or credentials.id = any (p_ids))
      and public.studio_fold(credentials.name) like all ((select public.studio_search_patterns(p_search))::text[])
  )
  select fitting.id, fitting.name, fitting.type, fitting.last_four, fitting.allowed_hosts, fitting.settings,
    fitting.updated_at, (select count(*) from fitting),
    jsonb_build_object('id', fitting.id, 'key', fitting.sort_key)
  from fitting
  where p_after is null
    or (fitting.sort_key, fitting.id) > (p_after ->> 'key' collate "C", (p_after ->> 'id')::uuid)
  order by fitting.sort_key collate "C", fitting.id
  limit p_limit;
$$;

select private.studio_grant_calls('public.studio_list_credentials(text, text[], uuid[], jsonb, integer)', 'authenticated', 'service_role');
