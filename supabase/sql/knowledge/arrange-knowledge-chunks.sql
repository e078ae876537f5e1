-- Deletes chunks of a document and gives others their new places and metadata: all or none. p_move: [{ id, position, metadata,
-- parent?: { first, lead } }].
-- p_ingest, and the errors: see studio_hold_knowledge_ingest.
create or replace function public.studio_arrange_knowledge_chunks(
  p_document_id uuid, p_remove uuid[], p_move jsonb, p_ingest uuid default null
) returns void
language plpgsql security invoker set search_path = ''
as $$
begin
  perform public.studio_hold_knowledge_ingest(p_document_id, p_ingest);
  delete from public.studio_knowledge_chunks as chunks
  where chunks.document_id = p_document_id and chunks.id = any (p_remove);
  update public.studio_knowledge_chunks as chunks set "position" = given.position, metadata = given.metadata,
    parent = (given.parent ->> 'first')::integer, lead = given.parent ->> 'lead'
  from jsonb_to_recordset(p_move) as given (id uuid, "position" integer, metadata jsonb, parent jsonb)
  where chunks.document_id = p_document_id and chunks.id = given.id;
end;
$$;

select private.studio_grant_calls('public.studio_arrange_knowledge_chunks(uuid, uuid[], jsonb, uuid)', 'authenticated', 'service_role');
