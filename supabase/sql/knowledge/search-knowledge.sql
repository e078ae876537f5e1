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
