-- Deletes chunks of a document and gives others their new places: all or none. p_move: [{ id, position, metadata }].
create or replace function public.studio_arrange_knowledge_chunks(p_document_id uuid, p_remove uuid[], p_move jsonb) returns void
language plpgsql security invoker set search_path = ''
as $$
begin
  delete from public.studio_knowledge_chunks as chunks
  where chunks.document_id = p_document_id and chunks.id = any (p_remove);
  update public.studio_knowledge_chunks as chunks set "position" = given.position, metadata = given.metadata
  from jsonb_to_recordset(p_move) as given (id uuid, "position" integer, metadata jsonb)
  where chunks.document_id = p_document_id and chunks.id = given.id;
end;
$$;

select private.studio_grant_calls('public.studio_arrange_knowledge_chunks(uuid, uuid[], jsonb)', 'authenticated', 'service_role');
