-- The chunks of a collection whose vectors are closest to p_embedding by cosine distance; score = (1 + cosine) / 2. p_filter: what has
-- to hold for their metadata and those of their documents.
create or replace function public.studio_knowledge_by_meaning(
  p_collection_id uuid, p_embedding extensions.vector, p_limit integer, p_filter jsonpath, p_hidden uuid[]
) returns table (id uuid, score double precision)
language plpgsql stable rows 40 security invoker set search_path = ''
as $$
declare
  dimension constant integer := extensions.vector_dims(p_embedding);
  -- How many are compared in full, at some 30 microseconds each on the embedded stack. Fewer signs say less: of 50,000
  -- chunks around topics the nearest five were among the first 50 by 1,536 signs. All of a small collection are compared.
  compared constant integer := greatest(600000 / dimension, p_limit * 4, 400);
begin
  -- Planned anew each time, because a plan for any collection would read all of them for a small one. A vector of zeros
  -- is like nothing.
  return query execute
    'select near.id, 1 - near.distance / 2 from (
       select chunks.id, chunks.embedding operator(extensions.<=>) $1 as distance
       from (
         select bits.chunk_id from public.studio_knowledge_bits as bits
         where bits.collection_id = $2 and length(bits.bits) = $6
           and ($4 = ''{}'' or bits.document_id <> all ($4))
           and ($3 is null or exists (
             select from public.studio_knowledge_chunks as described
             join public.studio_knowledge_documents as documents on documents.id = described.document_id
             where described.id = bits.chunk_id and (documents.metadata || described.metadata) @@ $3
           ))
         order by bits.bits operator(extensions.<~>) $7
         limit $8
       ) as likely
       -- Row by row: the planner would rather read all chunks.
       cross join lateral (
         select found.id, found.embedding from public.studio_knowledge_chunks as found
         where found.id = likely.chunk_id offset 0
       ) as chunks
       order by distance
       limit $5
     ) as near where near.distance <> ''NaN'''
  using p_embedding, p_collection_id, p_filter, p_hidden, p_limit, dimension,
    extensions.binary_quantize(p_embedding), compared;
end;
$$;

select private.studio_grant_calls('public.studio_knowledge_by_meaning(uuid, extensions.vector, integer, jsonpath, uuid[])', 'authenticated', 'service_role');
