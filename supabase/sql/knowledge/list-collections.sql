-- Collections by name, or those with the given ids (null: all), with what they hold.
create or replace function public.studio_list_collections(p_search text, p_ids uuid[], p_after jsonb, p_limit integer)
returns table (
  id uuid, name text, description text, embedding_provider text, embedding_model text, embedding_credential text,
  dimension integer, chunk_size integer, chunk_overlap integer, splitting jsonb, language text, search_mode text, postgres_table jsonb,
  documents bigint, chunks bigint,
  created_at timestamptz, updated_at timestamptz, total bigint, place jsonb
)
language sql stable security invoker set search_path = ''
as $$
  with fitting as materialized (
    select collections.id, public.studio_sort_key(collections.name) as sort_key
    from public.studio_knowledge_collections as collections
    where collections.owner = (select auth.uid()) and collections.deleted_at is null
      and (p_ids is null or collections.id = any (p_ids))
      and public.studio_fold(collections.name) like all ((select public.studio_search_patterns(p_search))::text[])
  ), page as (
    select fitting.id, fitting.sort_key from fitting
    where p_after is null
      or (fitting.sort_key, fitting.id) > (p_after ->> 'key' collate "C", (p_after ->> 'id')::uuid)
    order by fitting.sort_key collate "C", fitting.id
    limit p_limit
  )
  select collections.id, collections.name, collections.description, collections.embedding_provider,
    collections.embedding_model, collections.embedding_credential, collections.dimension, collections.chunk_size,
    collections.chunk_overlap, collections.splitting, collections.language, collections.search_mode, collections.postgres_table, held.documents, held.chunks, collections.created_at,
    greatest(collections.updated_at, held.updated_at), (select count(*) from fitting),
    jsonb_build_object('id', page.id, 'key', page.sort_key)
  from page
  join public.studio_knowledge_collections as collections on collections.id = page.id
  cross join lateral (
    select count(*) as documents, coalesce(sum(documents.chunks), 0)::bigint as chunks,
      max(documents.updated_at) as updated_at
    from public.studio_knowledge_documents as documents
    where documents.collection_id = page.id and documents.deleted_at is null
  ) as held
  order by page.sort_key collate "C", page.id;
$$;

select private.studio_grant_calls('public.studio_list_collections(text, uuid[], jsonb, integer)', 'authenticated', 'service_role');
