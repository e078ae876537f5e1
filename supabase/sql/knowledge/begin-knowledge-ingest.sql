-- Begins another ingest of a stored document, and gives what was read of it. What an earlier ingest still sends is refused from then on.
create or replace function public.studio_begin_knowledge_ingest(p_document_id uuid)
returns table (ingest uuid, sections jsonb, untrusted jsonb)
language sql security invoker set search_path = ''
as $$
  update public.studio_knowledge_documents as documents set ingest = gen_random_uuid()
  where documents.id = p_document_id and documents.deleted_at is null
  returning documents.ingest, documents.sections, documents.untrusted;
$$;

select private.studio_grant_calls('public.studio_begin_knowledge_ingest(uuid)', 'authenticated', 'service_role');
