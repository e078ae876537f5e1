-- Documents of a collection, the latest first.
create or replace function public.studio_list_documents(p_collection_id uuid, p_search text, p_after jsonb, p_limit integer)
returns table (
  id uuid, collection_id uuid, name text, kind text, source text, content_hash text, size bigint, status text,
  error jsonb, chunks integer, tokens bigint, cost_usd double precision, language text,
  language_chosen boolean, metadata jsonb, upload uuid, created_at timestamptz, updated_at timestamptz, total bigint, place jsonb
)
language sql stable security invoker set search_path = ''
as $$
  with fitting as materialized (
    select documents.id, documents.created_at
    from public.studio_knowledge_documents as documents
    where documents.owner = (select auth.uid()) and documents.collection_id = p_collection_id
      and documents.deleted_at is null
      and public.studio_fold(documents.name) like all ((select public.studio_search_patterns(p_search))::text[])
  )
  select documents.id, documents.collection_id, documents.name, documents.kind, documents.source,
    documents.content_hash, documents.size::bigint, documents.status, documents.error, documents.chunks::integer,
    documents.tokens::bigint, documents.cost_usd::double precision, documents.language,
    documents.language_chosen, documents.metadata, documents.upload, documents.created_at, documents.updated_at,
    (select count(*) from fitting),
    jsonb_build_object('id', fitting.id, 'moment', fitting.created_at)
  from fitting
  join public.studio_knowledge_documents as documents on documents.id = fitting.id
  where p_after is null
    or (fitting.created_at, fitting.id) < ((p_after ->> 'moment')::timestamptz, (p_after ->> 'id')::uuid)
  order by fitting.created_at desc, fitting.id desc
  limit p_limit;
$$;

select private.studio_grant_calls('public.studio_list_documents(uuid, text, jsonb, integer)', 'authenticated', 'service_role');
