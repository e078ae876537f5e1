-- The sources of a collection of the caller, in the order in which they were added, with how many documents each has brought and the
-- first twenty pages that failed: [{ url, message, hint }].
create or replace function public.studio_list_sources(p_collection_id uuid)
returns table (
  id uuid, kind text, url text, depth integer, include text[], exclude text[], every_hours integer, max_pages integer,
  max_tokens bigint, state text, counts boolean, started_at timestamptz, due_at timestamptz, tally jsonb, last jsonb, documents bigint,
  failures jsonb
)
language sql stable security invoker set search_path = ''
as $$
  select sources.id, sources.kind, sources.url, sources.depth::integer, sources.include, sources.exclude, sources.every_hours::integer,
    sources.max_pages::integer, sources.max_tokens::bigint, sources.state, sources.counts, sources.started_at, sources.due_at,
    sources.tally, sources.last,
    (select count(*) from public.studio_knowledge_source_pages as pages
     join public.studio_knowledge_documents as documents on documents.id = pages.document_id and documents.deleted_at is null
     where pages.source_id = sources.id),
    (select coalesce(jsonb_agg(failed.failure), '[]') from (
       select pages.error || jsonb_build_object('url', pages.url) as failure
       from public.studio_knowledge_source_pages as pages
       where pages.source_id = sources.id and pages.error is not null and pages.run = sources.run
       order by pages.depth, pages.found limit 20) as failed)
  from public.studio_knowledge_sources as sources
  where sources.owner = (select auth.uid()) and sources.collection_id = p_collection_id
  order by sources.created_at, sources.id;
$$;

select private.studio_grant_calls('public.studio_list_sources(uuid)', 'authenticated', 'service_role');
