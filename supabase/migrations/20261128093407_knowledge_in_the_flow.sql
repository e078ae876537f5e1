-- The ingest that may change its chunks: another one that begins takes its place.
alter table public.studio_knowledge_documents add column ingest uuid;
-- Who wrote it, where strangers may have: a list of texts.
alter table public.studio_knowledge_documents add column untrusted jsonb not null default '[]'::jsonb check (jsonb_typeof(untrusted) = 'array');

select private.studio_grant_rows('public.studio_knowledge_documents', 'select, insert, delete', 'name, kind, source, content_hash, size, sections, status, error, chunks, tokens, cost_usd, language, language_chosen, deleted_at, ingest, untrusted');

drop function public.studio_arrange_knowledge_chunks(uuid, uuid[], jsonb);

drop function public.studio_finish_knowledge_document(uuid, text, jsonb, double precision);

drop function public.studio_store_knowledge_chunks(uuid, text, jsonb);

-- Deletes chunks of a document and gives others their new places and metadata: all or none. p_move: [{ id, position, metadata }].
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
  update public.studio_knowledge_chunks as chunks set "position" = given.position, metadata = given.metadata
  from jsonb_to_recordset(p_move) as given (id uuid, "position" integer, metadata jsonb)
  where chunks.document_id = p_document_id and chunks.id = given.id;
end;
$$;

select private.studio_grant_calls('public.studio_arrange_knowledge_chunks(uuid, uuid[], jsonb, uuid)', 'authenticated', 'service_role');

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

-- Closes an ingest: counts what is stored, adds what it cost (null: not known). Where another ingest has begun than p_ingest, only the cost
-- is added: how the document is, the other one says.
create or replace function public.studio_finish_knowledge_document(
  p_document_id uuid, p_status text, p_error jsonb, p_cost_usd double precision, p_ingest uuid default null
) returns void
language sql security invoker set search_path = ''
as $$
  update public.studio_knowledge_documents as documents
  set cost_usd = documents.cost_usd + p_cost_usd,
    status = case when coalesce(p_ingest = documents.ingest, true) then p_status else documents.status end,
    error = case when coalesce(p_ingest = documents.ingest, true) then p_error else documents.error end,
    chunks = counted.chunks, tokens = counted.tokens
  from (
    select count(*) as chunks, coalesce(sum(stored.tokens), 0) as tokens
    from public.studio_knowledge_chunks as stored where stored.document_id = p_document_id
  ) as counted
  where documents.id = p_document_id;
$$;

select private.studio_grant_calls('public.studio_finish_knowledge_document(uuid, text, jsonb, double precision, uuid)', 'authenticated', 'service_role');

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

-- Stores what was read of a document, as pending, and begins its ingest: over the document of this name, whose chunks stay until they are
-- arranged, or as a new one, of the id p_id where that is given. p_document: { name, kind, source, hash, size, sections, untrusted }.
-- Two at once that bring the same name wait for each other, so that a name stands for one document.
-- Errors, by message: knowledge_collection_missing.
create or replace function public.studio_put_knowledge_document(p_collection_id uuid, p_id uuid, p_document jsonb)
returns table (id uuid, ingest uuid)
language plpgsql security invoker set search_path = ''
as $$
#variable_conflict use_column
begin
  if not exists (
    select from public.studio_knowledge_collections as collections
    where collections.id = p_collection_id and collections.deleted_at is null
  ) then
    raise exception 'knowledge_collection_missing' using errcode = 'PT404';
  end if;
  perform pg_advisory_xact_lock(hashtextextended(p_collection_id::text || ' ' || (p_document ->> 'name'), 0));
  return query
    update public.studio_knowledge_documents as documents
    set kind = p_document ->> 'kind', source = p_document ->> 'source', content_hash = p_document ->> 'hash',
      size = (p_document ->> 'size')::bigint, sections = p_document -> 'sections',
      untrusted = coalesce(p_document -> 'untrusted', '[]'::jsonb), status = 'pending', error = null, ingest = gen_random_uuid()
    where documents.id = (
      select known.id from public.studio_knowledge_documents as known
      where known.collection_id = p_collection_id and known.name = p_document ->> 'name' and known.deleted_at is null
      order by known.created_at, known.id limit 1
    )
    returning documents.id, documents.ingest;
  if found then
    return;
  end if;
  return query
    insert into public.studio_knowledge_documents as documents
      (id, collection_id, name, kind, source, content_hash, size, sections, untrusted, ingest)
    values (
      coalesce(p_id, gen_random_uuid()), p_collection_id, p_document ->> 'name', p_document ->> 'kind', p_document ->> 'source',
      p_document ->> 'hash', (p_document ->> 'size')::bigint, p_document -> 'sections',
      coalesce(p_document -> 'untrusted', '[]'::jsonb), gen_random_uuid()
    )
    returning documents.id, documents.ingest;
end;
$$;

select private.studio_grant_calls('public.studio_put_knowledge_document(uuid, uuid, jsonb)', 'authenticated', 'service_role');

-- Adds chunks to a document, or vectors to chunks that are there: all or none. p_model: "provider/model" of the vectors,
-- null when there are none. p_chunks: [{ id?, position, heading, content, hash, tokens, metadata, embedding }]; one with
-- an id only gets its vector. p_ingest: see studio_hold_knowledge_ingest. Errors, by message, besides its own:
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
    collection_id, document_id, "position", heading, content, content_hash, tokens, metadata, embedding
  )
  select target, p_document_id, given.position, given.heading, given.content, given.hash, given.tokens, given.metadata,
    given.embedding::extensions.vector
  from jsonb_to_recordset(p_chunks) as given (
    id uuid, "position" integer, heading text, content text, hash text, tokens integer, metadata jsonb, embedding text
  )
  where given.id is null;
end;
$$;

select private.studio_grant_calls('public.studio_store_knowledge_chunks(uuid, text, jsonb, uuid)', 'authenticated', 'service_role');
