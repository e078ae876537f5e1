-- Begins another ingest of a stored document, and gives what was read of it. What an earlier ingest still sends is refused from then on.
-- Errors, by message: knowledge_document_missing, knowledge_document_waits (a worker is to read a file for it).
create or replace function public.studio_begin_knowledge_ingest(p_document_id uuid)
returns table (ingest uuid, sections jsonb, untrusted jsonb)
language plpgsql security invoker set search_path = ''
as $$
#variable_conflict use_column
begin
  perform public.studio_hold_knowledge_ingest(p_document_id, null);
  return query
    update public.studio_knowledge_documents as documents set ingest = gen_random_uuid()
    where documents.id = p_document_id and documents.upload is null
    returning documents.ingest, documents.sections, documents.untrusted;
  if not found then
    raise exception 'knowledge_document_waits' using errcode = 'PT409';
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_begin_knowledge_ingest(uuid)', 'authenticated', 'service_role');
