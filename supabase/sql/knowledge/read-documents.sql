-- Documents of an owner's collection by name, those after p_after: [{ name, status, size, chunks, sha256, source, metadata, error, updatedAt }],
-- or the one that is called p_name. Null where the owner has no such collection.
create or replace function public.studio_read_documents(
  p_owner uuid, p_collection_id uuid, p_name text, p_after text, p_limit integer
) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce((
    select jsonb_agg(jsonb_build_object('name', found.name, 'status', found.status, 'size', found.size, 'chunks', found.chunks,
      'sha256', found.file_sha256, 'source', found.source,
      'metadata', found.metadata, 'error', found.error, 'updatedAt', found.updated_at) order by found.name collate "C")
    from (
      select documents.* from public.studio_knowledge_documents as documents
      where documents.collection_id = collections.id and documents.owner = p_owner and documents.deleted_at is null
        and (p_name is null or documents.name = p_name) and (p_after is null or documents.name collate "C" > p_after)
      order by documents.name collate "C" limit least(p_limit, 1000)
    ) as found
  ), '[]'::jsonb)
  from public.studio_knowledge_collections as collections
  where collections.id = p_collection_id and collections.owner = p_owner and collections.deleted_at is null;
$$;

select private.studio_grant_calls('public.studio_read_documents(uuid, uuid, text, text, integer)', 'service_role');
