-- Subject: knowledge
set check_function_bodies = off;

-- How the documents of a collection are split besides by size, as src/engine/knowledge/chunking.ts reads it; null: by size.
alter table public.studio_knowledge_collections add column splitting jsonb
  check (jsonb_typeof(splitting) = 'object' and octet_length(splitting::text) <= 1024);

select private.studio_grant_rows('public.studio_knowledge_collections', 'select, insert, delete', 'name, description, embedding_provider, embedding_model, embedding_credential, dimension, chunk_size, chunk_overlap, splitting, language, search_mode, postgres_table, deleted_at');

-- The parent of a chunk, by the place of its first chunk, is what a search gives instead; null: the chunk itself. Its text is that of its
-- chunks, each after its lead.
alter table public.studio_knowledge_chunks
  add column parent integer check (parent >= 0),
  add column lead text check (octet_length(lead) <= 65536),
  add constraint studio_knowledge_chunks_lead check ((parent is null) = (lead is null));

create index studio_knowledge_chunks_of_parent on public.studio_knowledge_chunks (collection_id, document_id, parent)
  where parent is not null;

-- As private.studio_count_table makes them, with the lead.
drop trigger studio_usage_insert on public.studio_knowledge_chunks;
create trigger studio_usage_insert after insert on public.studio_knowledge_chunks referencing new table as added for each statement
execute function private.studio_count_usage('rows',
  'octet_length(item.content) + coalesce(octet_length(item.lead), 0) + octet_length(item.metadata::text)
   + coalesce(4 * extensions.vector_dims(item.embedding), 0)', '0');
drop trigger studio_usage_update on public.studio_knowledge_chunks;
create trigger studio_usage_update after update on public.studio_knowledge_chunks referencing old table as removed new table as added for each statement
execute function private.studio_count_usage('rows',
  'octet_length(item.content) + coalesce(octet_length(item.lead), 0) + octet_length(item.metadata::text)
   + coalesce(4 * extensions.vector_dims(item.embedding), 0)', '0');
drop trigger studio_usage_delete on public.studio_knowledge_chunks;
create trigger studio_usage_delete after delete on public.studio_knowledge_chunks referencing old table as removed for each statement
execute function private.studio_count_usage('rows',
  'octet_length(item.content) + coalesce(octet_length(item.lead), 0) + octet_length(item.metadata::text)
   + coalesce(4 * extensions.vector_dims(item.embedding), 0)', '0');

select private.studio_grant_rows('public.studio_knowledge_chunks', 'select, insert, delete', 'position, metadata, parent, lead, embedding');

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

drop function public.studio_list_collections(text, uuid[], jsonb, integer);

-- Collections by name, or those with the given ids (null: all), with what they hold.
create or replace function public.studio_list_collections(p_search text, p_ids uuid[], p_after jsonb, p_limit integer)
returns table (
  id uuid, name text, description text, embedding_provider text, embedding_model text, embedding_credential text,
  dimension integer, chunk_size integer, chunk_overlap integer, splitting jsonb, language text, search_mode text, postgres_table jsonb,
  documents bigint, chunks bigint,
  created_at timestamptz, updated_at timestamptz, total bigint, place jsonb
)
language sql stable security invoker set search_path = ''
as $$
  with fitting as materialized (
    select collections.id, public.studio_sort_key(collections.name) as sort_key
    from public.studio_knowledge_collections as collections
    where collections.owner = (select auth.uid()) and collections.deleted_at is null
      and (p_ids is null or collections.id = any (p_ids))
      and public.studio_fold(collections.name) like all ((select public.studio_search_patterns(p_search))::text[])
  ), page as (
    select fitting.id, fitting.sort_key from fitting
    where p_after is null
      or (fitting.sort_key, fitting.id) > (p_after ->> 'key' collate "C", (p_after ->> 'id')::uuid)
    order by fitting.sort_key collate "C", fitting.id
    limit p_limit
  )
  select collections.id, collections.name, collections.description, collections.embedding_provider,
    collections.embedding_model, collections.embedding_credential, collections.dimension, collections.chunk_size,
    collections.chunk_overlap, collections.splitting, collections.language, collections.search_mode, collections.postgres_table, held.documents, held.chunks, collections.created_at,
    greatest(collections.updated_at, held.updated_at), (select count(*) from fitting),
    jsonb_build_object('id', page.id, 'key', page.sort_key)
  from page
  join public.studio_knowledge_collections as collections on collections.id = page.id
  cross join lateral (
    select count(*) as documents, coalesce(sum(documents.chunks), 0)::bigint as chunks,
      max(documents.updated_at) as updated_at
    from public.studio_knowledge_documents as documents
    where documents.collection_id = page.id and documents.deleted_at is null
  ) as held
  order by page.sort_key collate "C", page.id;
$$;

select private.studio_grant_calls('public.studio_list_collections(text, uuid[], jsonb, integer)', 'authenticated', 'service_role');

drop function public.studio_search_knowledge(uuid, text, text, text, integer, double precision, jsonb, jsonb);

-- What a collection knows about a question, best first. p_mode: semantic, keyword or hybrid; p_embedding: the question's
-- vector as text such as "[0.1,0.2]", or null, which makes hybrid keyword. All scores lie between 0 and 1, see the two
-- functions above; score is the better half's, and p_min_score compares it. Hybrid orders by reciprocal rank fusion.
-- Of the chunks of one parent only the best is given, with the parent's text.
-- p_documents: a condition that the documents' metadata have to fulfil, see studio_filter_path; p_filter: one for passages, with their
-- documents' metadata, see studio_place_filter.
-- Errors, by message: knowledge_collection_missing, knowledge_vector_missing (semantic without one),
-- knowledge_vector_length <expected> <got>.
create or replace function public.studio_search_knowledge(
  p_collection_id uuid, p_text text, p_embedding text, p_mode text, p_limit integer, p_min_score double precision,
  p_filter jsonb, p_documents jsonb default null
) returns table (
  id uuid, document_id uuid, document text, heading text, "position" integer, content text, parent_text text, metadata jsonb,
  score double precision, semantic_score double precision, keyword_score double precision
)
language plpgsql stable security invoker set search_path = ''
as $$
declare
  wanted extensions.vector;
  expected integer;
  -- How many chunks a parent may have; null where none has one.
  per_parent integer;
  hidden uuid[];
  wanted_documents constant jsonpath := public.studio_filter_path(p_documents);
  wanted_passages constant jsonpath := public.studio_filter_path(public.studio_place_filter(p_filter));
  depth integer;
begin
  select collections.dimension, case when exists (
      select from public.studio_knowledge_chunks as chunks where chunks.collection_id = p_collection_id and chunks.parent is not null
    ) then coalesce(ceil(collections.chunk_size / (collections.splitting ->> 'child')::numeric), 400) end
  into expected, per_parent
  from public.studio_knowledge_collections as collections
  where collections.id = p_collection_id and collections.deleted_at is null;
  if not found then
    raise exception 'knowledge_collection_missing' using errcode = 'PT404';
  end if;
  if p_mode <> 'keyword' then
    wanted := p_embedding::extensions.vector;
    if wanted is null and p_mode = 'semantic' then
      raise exception 'knowledge_vector_missing' using errcode = 'PT400';
    end if;
    if wanted is not null and expected is not null and extensions.vector_dims(wanted) <> expected then
      raise exception 'knowledge_vector_length % %', expected, extensions.vector_dims(wanted) using errcode = 'PT400';
    end if;
  end if;
  -- Each half brings more than is asked for, so that a chunk that is good in both can win, and several of one parent leave room for others.
  depth := case when p_mode = 'hybrid' or per_parent is not null then greatest(p_limit * 4, 40) else p_limit end;
  depth := greatest(depth, least(p_limit * per_parent, 400));
  select coalesce(array_agg(documents.id), '{}') into hidden from public.studio_knowledge_documents as documents
  where documents.collection_id = p_collection_id
    and (documents.deleted_at is not null or not documents.metadata @@ wanted_documents);

  return query
    with by_meaning as (
      select near.id, near.score, row_number() over (order by near.score desc, near.id) as place
      from public.studio_knowledge_by_meaning(p_collection_id, wanted, depth, wanted_passages, hidden) as near
      where wanted is not null
    ), by_words as (
      select same.id, same.score, same.place
      from public.studio_knowledge_by_words(p_collection_id, p_text, depth, wanted_passages, hidden)
        with ordinality as same (id, score, place)
      where p_mode <> 'semantic'
    ), fused as materialized (
      select coalesce(by_meaning.id, by_words.id) as id, by_meaning.score as by_meaning, by_words.score as by_words,
        greatest(by_meaning.score, by_words.score) as score,
        coalesce(1.0 / (60 + by_meaning.place), 0) + coalesce(1.0 / (60 + by_words.place), 0) as sum
      from by_meaning
      full join by_words on by_words.id = by_meaning.id
      where greatest(by_meaning.score, by_words.score) >= coalesce(p_min_score, 0)
    ), ranked as (
      select chunks.*, fused.score, fused.by_meaning, fused.by_words, fused.sum,
        row_number() over (
          partition by chunks.document_id, chunks.parent, case when chunks.parent is null then chunks.id end
          order by fused.sum desc, fused.score desc, chunks.id
        ) as among_siblings
      from fused
      -- Row by row: the planner does not know how few they are and would read all chunks instead.
      cross join lateral (
        select own.id, own.document_id, own.heading, own.position, own.content, own.parent, own.metadata
        from public.studio_knowledge_chunks as own where own.id = fused.id offset 0
      ) as chunks
    ), best as materialized (
      select * from ranked where ranked.among_siblings = 1
      order by ranked.sum desc, ranked.score desc, ranked.id
      limit p_limit
    )
    select best.id, best.document_id, documents.name, best.heading, best.position, best.content,
      case when best.parent is not null then (
        select string_agg(siblings.lead || siblings.content, '' order by siblings.position)
        from public.studio_knowledge_chunks as siblings
        where siblings.collection_id = p_collection_id and siblings.document_id = best.document_id and siblings.parent = best.parent
      ) end,
      documents.metadata || best.metadata, best.score, best.by_meaning, best.by_words
    from best
    join public.studio_knowledge_documents as documents on documents.id = best.document_id
    order by best.sum desc, best.score desc, best.id;
end;
$$;

select private.studio_grant_calls('public.studio_search_knowledge(uuid, text, text, text, integer, double precision, jsonb, jsonb)', 'authenticated', 'service_role');

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
