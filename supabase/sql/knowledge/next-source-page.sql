-- The page that a reload reads next, with the document that it became: the page's own, or one of its address in the collection.
-- Null where none is left, or where another turn has begun.
create or replace function private.studio_next_source_page(p_owner uuid, p_source uuid, p_turn uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('id', pages.id, 'url', pages.url, 'role', pages.role, 'depth', pages.depth, 'etag', pages.etag,
    'lastModified', pages.last_modified, 'hash', pages.body_hash, 'links', pages.links,
    'document', (
      select jsonb_build_object('id', documents.id, 'name', documents.name, 'hash', documents.content_hash, 'status', documents.status)
      from public.studio_knowledge_documents as documents
      where documents.collection_id = sources.collection_id and documents.owner = p_owner and documents.deleted_at is null
        and (documents.id = pages.document_id or (pages.document_id is null and documents.source = pages.url))
      order by documents.created_at, documents.id limit 1))
  from public.studio_knowledge_sources as sources
  join public.studio_knowledge_source_pages as pages on pages.source_id = sources.id and pages.run = sources.run and not pages.done
  where sources.id = p_source and sources.owner = p_owner and sources.turn = p_turn
  order by pages.depth, pages.found limit 1;
$$;

select private.studio_grant_calls('private.studio_next_source_page(uuid, uuid, uuid)', 'studio_worker');
