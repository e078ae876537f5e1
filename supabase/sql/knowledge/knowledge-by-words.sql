-- The chunks of a collection that have most of p_text's words; score = (1 + cosine) / 2, where the cosine is that between
-- the question's words, each weighing ln(1 + chunks / chunks that have it), and those of them that the chunk has:
-- sqrt(sum of their squares / sum of all squares). p_text is read as websearch_to_tsquery does: "quoted" words must stand together,
-- words after a minus must be absent. A word that no chunk has stands for the most similar ones, at their similarity. In scripts
-- without blanks pairs of letters are words. p_filter: what has to hold for the metadata of a chunk and of its document.
--
-- It runs with its maker's rights, because row level security keeps Postgres from asking a text index (its operators are
-- not leakproof, so they may only see rows that passed the policy), and it reads only what is the caller's: every query
-- compares the owner. It tells ids and scores alone; the caller reads the rows through row level security.
create or replace function public.studio_knowledge_by_words(
  p_collection_id uuid, p_text text, p_limit integer, p_filter jsonpath, p_hidden uuid[]
) returns table (id uuid, score double precision)
-- Where only some rows are wanted the planner hopes to meet them early in a scan of all; a rare word makes it read all.
language plpgsql stable rows 40 security definer set search_path = '' set enable_seqscan = off set enable_indexscan = off set jit = off
as $$
declare
  caller constant uuid := auth.uid();
  -- Rows per word that are worth counting, and candidates that are worth comparing.
  few constant integer := 1000;
  asked constant text := left(p_text, 4000);
  languages text[];
  total double precision;
  written text;
  term tsquery;
  importance double precision;
  alike record;
  having_it integer;
  factor double precision;
  terms tsquery[] := '{}';
  weights double precision[] := '{}';
  counts integer[] := '{}';
  whole double precision := 0;
  anything tsquery;
  required tsquery;
begin
  if caller is null or not exists (
    select from public.studio_knowledge_collections as collections
    where collections.id = p_collection_id and collections.owner = caller
  ) then
    return;
  end if;
  select greatest(coalesce(sum(documents.chunks), 0), 1),
    array_agg(distinct documents.language) filter (where documents.language is not null)
      -- What has not been indexed since languages are guessed.
      || case when bool_or(documents.stale) then array['english'] end
  into total, languages from public.studio_knowledge_documents as documents
  where documents.collection_id = p_collection_id and documents.owner = caller;
  languages := array(select distinct known from unnest(languages) as known order by known);

  for written, term, importance in
    select asked_for.word, asked_for.term, asked_for.importance from private.studio_question_terms(languages, asked) as asked_for
  loop
    continue when numnode(term) = 0 or term = any (terms);
    factor := 1;
    select count(*) into having_it from (
      select from public.studio_knowledge_chunks as chunks
      where chunks.collection_id = p_collection_id and chunks.owner = caller and chunks.search @@ term limit few
    ) as counted;
    if having_it = 0 and char_length(written) > 3 then
      perform set_config('pg_trgm.similarity_threshold', '0.4', true);
      for alike in
        select words.word, extensions.similarity(words.word, written) as likeness
        from public.studio_knowledge_words as words
        where words.collection_id = p_collection_id and words.owner = caller
          and words.word operator(extensions.%) written
        order by likeness desc, words.word limit 3
      loop
        if factor = 1 then
          factor := alike.likeness;
          term := private.studio_word_query(languages, alike.word);
        elsif alike.likeness > factor - 0.1 then
          term := term || private.studio_word_query(languages, alike.word);
        end if;
      end loop;
      if factor < 1 then
        select count(*) into having_it from (
          select from public.studio_knowledge_chunks as chunks
          where chunks.collection_id = p_collection_id and chunks.owner = caller and chunks.search @@ term limit few
        ) as counted;
      end if;
    end if;
    -- A pair that nothing has may be the end of one word and the beginning of the next.
    if having_it = 0 and written is null then
      importance := importance * 0.3;
    end if;
    terms := terms || term;
    counts := counts || having_it;
    weights := weights || importance * power(ln(1 + total / greatest(having_it, 1)) * factor, 2);
    whole := whole + importance * power(ln(1 + total / greatest(having_it, 1)), 2);
  end loop;
  if whole = 0 then
    return;
  end if;

  -- The rarest words choose the candidates: a chunk without any of them cannot come near the top.
  select string_agg(rarest.term::text, ' | ')::tsquery into anything from (
    select listed.term, listed.having_it,
      sum(listed.having_it) over (order by listed.having_it, listed.term::text) - listed.having_it as before
    from unnest(terms, counts) as listed (term, having_it) where listed.having_it > 0
  ) as rarest where rarest.before < few;
  if anything is null then
    return;
  end if;
  required := private.studio_required_words(languages, asked);

  return query
    select best.id, (1 + sqrt(best.share)) / 2 from (
      select candidates.id, candidates.search,
        (
          select sum(listed.weight) from unnest(terms, weights) as listed (term, weight)
          where candidates.search @@ listed.term
        ) / whole as share
      from (
        select chunks.id, chunks.search from public.studio_knowledge_chunks as chunks
        where chunks.collection_id = p_collection_id and chunks.owner = caller and chunks.search @@ anything
          and (required is null or chunks.search @@ required)
          and (p_filter is null or exists (
            select from public.studio_knowledge_documents as documents
            where documents.id = chunks.document_id and documents.owner = caller and (documents.metadata || chunks.metadata) @@ p_filter
          )) and chunks.document_id <> all (p_hidden)
        limit few * 2
      ) as candidates
    ) as best
    -- The first rank knows words with places only.
    order by best.share desc, ts_rank_cd(best.search, anything, 1) desc, ts_rank(best.search, anything, 1) desc, best.id
    limit p_limit;
end;
$$;

select private.studio_grant_calls('public.studio_knowledge_by_words(uuid, text, integer, jsonpath, uuid[])', 'authenticated', 'service_role');
