-- Keeps another ingest of the document from beginning until the transaction ends. p_ingest null: whichever it is. Errors, by message:
-- knowledge_document_missing, knowledge_document_replaced (another ingest has begun).
create or replace function public.studio_hold_knowledge_ingest(p_document_id uuid, p_ingest uuid) returns void
language plpgsql security invoker set search_path = ''
as $$
declare
  present uuid;
begin
  select documents.ingest into present from public.studio_knowledge_documents as documents
  where documents.id = p_document_id and documents.deleted_at is null for update;
  if not found then
    raise exception 'knowledge_document_missing' using errcode = 'PT404';
  end if;
  if p_ingest is distinct from present and p_ingest is not null then
    raise exception 'knowledge_document_replaced' using errcode = 'PT409';
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_hold_knowledge_ingest(uuid, uuid)', 'authenticated', 'service_role');
