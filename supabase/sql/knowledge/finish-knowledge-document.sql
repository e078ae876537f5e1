-- Closes an ingest: counts what is stored, adds what it cost (null: not known).
create or replace function public.studio_finish_knowledge_document(
  p_document_id uuid, p_status text, p_error jsonb, p_cost_usd double precision
) returns void
language sql security invoker set search_path = ''
as $$
  update public.studio_knowledge_documents as documents
  set status = p_status, error = p_error, cost_usd = documents.cost_usd + p_cost_usd,
    chunks = counted.chunks, tokens = counted.tokens
  from (
    select count(*) as chunks, coalesce(sum(stored.tokens), 0) as tokens
    from public.studio_knowledge_chunks as stored where stored.document_id = p_document_id
  ) as counted
  where documents.id = p_document_id;
$$;

select private.studio_grant_calls('public.studio_finish_knowledge_document(uuid, text, jsonb, double precision)', 'authenticated', 'service_role');
