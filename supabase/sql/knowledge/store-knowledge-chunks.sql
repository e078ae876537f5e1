-- Adds chunks to a document, or vectors to chunks that are there: all or none. p_model: "provider/model" of the vectors,
-- null when there are none. p_chunks: [{ id?, position, heading, content, hash, tokens, metadata, embedding,
-- parent?: { first, lead } }]; one with an id only gets its vector. p_ingest: see studio_hold_knowledge_ingest. Errors, by message, besides its own:
-- knowledge_model_changed, knowledge_vector_length <expected> <got>.
create or replace function public.studio_store_knowledge_chunks(
  p_document_id uuid, p_model text, p_chunks jsonb, p_ingest uuid default null
) returns void
language plpgsql security invoker set search_path = ''
as $$
declare
  collection public.studio_knowledge_collections%rowtype;
  target uuid;
  lengths integer[];
begin
  perform public.studio_hold_knowledge_ingest(p_document_id, p_ingest);
  select documents.collection_id into target from public.studio_knowledge_documents as documents
  where documents.id = p_document_id;
  if p_model is not null then
    -- Locked, so that the first vectors of two documents agree on a length.
    select * into collection from public.studio_knowledge_collections as collections
    where collections.id = target for update;
    if p_model is distinct from collection.embedding_provider || '/' || collection.embedding_model then
      raise exception 'knowledge_model_changed' using errcode = 'PT409';
    end if;
    select array_agg(distinct extensions.vector_dims((given.value ->> 'embedding')::extensions.vector)) into lengths
    from jsonb_array_elements(p_chunks) as given where given.value ->> 'embedding' is not null;
    if collection.dimension is null and array_length(lengths, 1) = 1 then
      update public.studio_knowledge_collections as collections set dimension = lengths[1]
      where collections.id = target;
    elsif exists (select from unnest(lengths) as one where one <> coalesce(collection.dimension, lengths[1])) then
      raise exception 'knowledge_vector_length % %', coalesce(collection.dimension, lengths[1]),
        (select one from unnest(lengths) as one where one <> coalesce(collection.dimension, lengths[1]) limit 1) using errcode = 'PT400';
    end if;
  end if;
  update public.studio_knowledge_chunks as chunks set embedding = given.embedding::extensions.vector
  from jsonb_to_recordset(p_chunks) as given (id uuid, embedding text)
  where given.id is not null and chunks.id = given.id and chunks.document_id = p_document_id;
  insert into public.studio_knowledge_chunks (
    collection_id, document_id, "position", heading, content, content_hash, tokens, metadata, parent, lead, embedding
  )
  select target, p_document_id, given.position, given.heading, given.content, given.hash, given.tokens, given.metadata,
    (given.parent ->> 'first')::integer, given.parent ->> 'lead', given.embedding::extensions.vector
  from jsonb_to_recordset(p_chunks) as given (
    id uuid, "position" integer, heading text, content text, hash text, tokens integer, metadata jsonb, parent jsonb,
    embedding text
  )
  where given.id is null;
end;
$$;

select private.studio_grant_calls('public.studio_store_knowledge_chunks(uuid, text, jsonb, uuid)', 'authenticated', 'service_role');
