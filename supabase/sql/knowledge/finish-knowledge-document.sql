-- Closes an ingest: counts what is stored, adds what it cost (null: not known). Where another ingest has begun than p_ingest, only the cost
-- is added: how the document is, the other one says.
create or replace function public.studio_finish_knowledge_document(
  p_document_id uuid, p_status text, p_error jsonb, p_cost_usd double precision, p_ingest uuid default null
) returns void
language sql security invoker set search_path = ''
as $$
  select public.studio_count_upload_cost(p_document_id, p_cost_usd);
  update public.studio_knowledge_documents as documents
  set cost_usd = documents.cost_usd + p_cost_usd,
    status = case when coalesce(p_ingest = documents.ingest, true) then p_status else documents.status end,
    error = case when coalesce(p_ingest = documents.ingest, true) then p_error else documents.error end,
    upload = case when p_ingest = documents.ingest and p_status <> 'pending' then null else documents.upload end,
    chunks = counted.chunks, tokens = counted.tokens
  from (
    select count(*) as chunks, coalesce(sum(stored.tokens), 0) as tokens
    from public.studio_knowledge_chunks as stored where stored.document_id = p_document_id
  ) as counted
  where documents.id = p_document_id;
$$;

select private.studio_grant_calls('public.studio_finish_knowledge_document(uuid, text, jsonb, double precision, uuid)', 'authenticated', 'service_role');
