-- Search by meaning that finds. A graph index (HNSW) is no list: chunks that were stored before a mass of unlike ones,
-- of whatever collection, lose their links and are not reached any more, however far it is searched. So a collection is
-- compared chunk by chunk as long as that is fast, and the graph is asked only beyond that.

-- The chunks of a collection whose vectors are closest to p_embedding by cosine distance; score = (1 + cosine) / 2.
create or replace function public.studio_knowledge_by_meaning(
  p_collection_id uuid, p_embedding extensions.vector, p_limit integer, p_filter jsonb, p_hidden uuid[]
) returns table (id uuid, score double precision)
language plpgsql stable rows 40 security invoker set search_path = ''
as $$
declare
  dimension constant integer := extensions.vector_dims(p_embedding);
  -- Chunks times numbers per vector that are compared one by one in about a tenth of a second on the embedded stack:
  -- 58,000 chunks of 256 numbers, 9,700 of 1,536 (which Postgres keeps out of line, at some 9 microseconds each).
  most_numbers constant bigint := 15000000;
  stored bigint;
  ids uuid[];
  scores double precision[];
begin
  select coalesce(sum(documents.chunks), 0) into stored from public.studio_knowledge_documents as documents
  where documents.collection_id = p_collection_id;

  if stored * dimension > most_numbers
    and to_regclass('public.studio_knowledge_chunks_vector_' || dimension) is not null
  then
    -- The index knows nothing of collections: without iterative scans the nearest of all would be filtered to few or none.
    if current_setting('hnsw.iterative_scan', true) is not null then
      perform set_config('hnsw.iterative_scan', 'strict_order', true);
    end if;
    -- As far as pgvector goes: of 50,000 chunks it then finds 99 % of the nearest five, and 93 % of those that were stored
    -- before a mass of unlike ones (at 400, 98 % and 87 %), in less time than comparing all of them would take.
    perform set_config('hnsw.ef_search', '1000', true);
    execute format(
      'select array_agg(near.id), array_agg(near.score) from (
         select chunks.id, 1 - ((chunks.embedding::%1$s) operator(extensions.<=>) ($1::%1$s)) / 2 as score
         from public.studio_knowledge_chunks as chunks
         where chunks.collection_id = $2 and extensions.vector_dims(chunks.embedding) = %2$s
           and ($3 is null or chunks.metadata @> $3) and chunks.document_id <> all ($4)
         order by (chunks.embedding::%1$s) operator(extensions.<=>) ($1::%1$s)
         limit $5
       ) as near',
      public.studio_knowledge_vector_type(dimension), dimension
    ) into ids, scores using p_embedding, p_collection_id, p_filter, p_hidden, p_limit;
    -- Fewer than asked for: the scan gave up among other collections' chunks, or the filter leaves few.
    if cardinality(ids) >= p_limit then
      return query select found.id, found.score from unnest(ids, scores) as found (id, score);
      return;
    end if;
  end if;

  -- Without a length in the type no index of vectors fits, and no vector is copied into another type. Planned anew each
  -- time, because a plan for any collection would read all chunks for a small one. A vector of zeros is like nothing.
  return query execute
    'select near.id, near.score from (
       select chunks.id, 1 - (chunks.embedding operator(extensions.<=>) $1) / 2 as score
       from public.studio_knowledge_chunks as chunks
       where chunks.collection_id = $2 and extensions.vector_dims(chunks.embedding) = $6
         and ($3 is null or chunks.metadata @> $3) and chunks.document_id <> all ($4)
       order by chunks.embedding operator(extensions.<=>) $1
       limit $5
     ) as near where near.score <> ''NaN'''
  using p_embedding, p_collection_id, p_filter, p_hidden, p_limit, dimension;
end;
$$;
