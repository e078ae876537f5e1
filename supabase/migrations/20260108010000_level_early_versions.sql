-- Brings data directories of early versions level: some functions were changed in the migration that made them, after it had
-- been applied here and there. Where they are as they should be, nothing changes.

alter table public.studio_workflow_versions drop constraint if exists studio_workflow_versions_reason_check;
alter table public.studio_workflow_versions add constraint studio_workflow_versions_reason_check
  check (reason in ('edit', 'restore', 'import', 'conflict', 'manual'));

alter index public.studio_knowledge_chunks_search set (gin_pending_list_limit = 256);
alter index public.studio_knowledge_words_alike set (gin_pending_list_limit = 256);

create or replace function public.studio_note_knowledge_words() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  -- In order, so that two ingests at once wait for each other instead of locking each other out.
  insert into public.studio_knowledge_words (owner, collection_id, word)
  select distinct added.owner, added.collection_id, words.lexeme
  from added
  cross join lateral unnest(to_tsvector('pg_catalog.simple', added.heading || ' ' || added.content)) as words
  where char_length(words.lexeme) between 4 and 40 and words.lexeme !~ '[0-9/.:@]'
  order by added.collection_id, words.lexeme
  on conflict do nothing;
  return null;
end;
$$;

create or replace function public.studio_knowledge_by_words(
  p_collection_id uuid, p_text text, p_limit integer, p_filter jsonb, p_hidden uuid[]
) returns table (id uuid, score double precision)
-- Where only some rows are wanted the planner hopes to meet them early in a scan of all; a rare word makes it read all.
language plpgsql stable rows 40 security definer set search_path = '' set enable_seqscan = off set enable_indexscan = off
as $$
declare
  caller constant uuid := auth.uid();
  -- Rows per word that are worth counting, and candidates that are worth comparing.
  few constant integer := 1000;
  asked constant tsquery := websearch_to_tsquery('pg_catalog.english', left(p_text, 4000));
  total double precision;
  written text;
  term tsquery;
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
  select greatest(coalesce(sum(documents.chunks), 0), 1) into total from public.studio_knowledge_documents as documents
  where documents.collection_id = p_collection_id and documents.owner = caller;

  for written in
    select found.parts[1] from regexp_matches(
      querytree(websearch_to_tsquery('pg_catalog.simple', left(p_text, 4000))), '''((?:[^'']|'''')+)''', 'g'
    ) as found (parts) limit 40
  loop
    -- Stop words leave nothing.
    term := phraseto_tsquery('pg_catalog.english', written);
    continue when numnode(term) = 0 or term = any (terms) or cardinality(terms) = 16;
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
          term := phraseto_tsquery('pg_catalog.english', alike.word);
        elsif alike.likeness > factor - 0.1 then
          term := term || phraseto_tsquery('pg_catalog.english', alike.word);
        end if;
      end loop;
      if factor < 1 then
        select count(*) into having_it from (
          select from public.studio_knowledge_chunks as chunks
          where chunks.collection_id = p_collection_id and chunks.owner = caller and chunks.search @@ term limit few
        ) as counted;
      end if;
    end if;
    terms := terms || term;
    counts := counts || having_it;
    weights := weights || power(ln(1 + total / greatest(having_it, 1)) * factor, 2);
    whole := whole + power(ln(1 + total / greatest(having_it, 1)), 2);
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
  select string_agg(part, ' & ')::tsquery into required from (
    select found.parts[1] as part
    from regexp_matches(asked::text, '(!''(?:[^'']|'''')+''|!\([^)]*\))', 'g') as found (parts)
    union all
    select found.parts[1]
    from regexp_matches(
      querytree(asked), '(''(?:[^'']|'''')+''(?: <(?:-|\d+)> ''(?:[^'']|'''')+'')+)', 'g'
    ) as found (parts)
    where position('"' in p_text) > 0 and position(' or ' in lower(p_text)) = 0
  ) as parts;

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
          and (p_filter is null or chunks.metadata @> p_filter) and chunks.document_id <> all (p_hidden)
        limit few * 2
      ) as candidates
    ) as best
    order by best.share desc, ts_rank_cd(best.search, anything, 1) desc, best.id
    limit p_limit;
end;
$$;

create or replace function public.studio_search_knowledge(
  p_collection_id uuid, p_text text, p_embedding text, p_mode text, p_limit integer, p_min_score double precision,
  p_filter jsonb
) returns table (
  id uuid, document_id uuid, document text, heading text, "position" integer, content text, metadata jsonb,
  score double precision, semantic_score double precision, keyword_score double precision
)
language plpgsql stable security invoker set search_path = ''
as $$
declare
  wanted extensions.vector;
  expected integer;
  hidden uuid[];
  -- Each half brings more than is asked for, so that a chunk that is good in both can win.
  depth constant integer := case when p_mode = 'hybrid' then greatest(p_limit * 4, 40) else p_limit end;
begin
  select collections.dimension into expected from public.studio_knowledge_collections as collections
  where collections.id = p_collection_id and collections.deleted_at is null;
  if not found then
    raise exception 'knowledge_collection_missing';
  end if;
  if p_mode <> 'keyword' then
    wanted := p_embedding::extensions.vector;
    if wanted is null and p_mode = 'semantic' then
      raise exception 'knowledge_vector_missing';
    end if;
    if wanted is not null and expected is not null and extensions.vector_dims(wanted) <> expected then
      raise exception 'knowledge_vector_length % %', expected, extensions.vector_dims(wanted);
    end if;
  end if;
  select coalesce(array_agg(documents.id), '{}') into hidden from public.studio_knowledge_documents as documents
  where documents.collection_id = p_collection_id and documents.deleted_at is not null;

  return query
    with by_meaning as (
      select near.id, near.score, row_number() over (order by near.score desc, near.id) as place
      from public.studio_knowledge_by_meaning(p_collection_id, wanted, depth, p_filter, hidden) as near
      where wanted is not null
    ), by_words as (
      select same.id, same.score, same.place
      from public.studio_knowledge_by_words(p_collection_id, p_text, depth, p_filter, hidden)
        with ordinality as same (id, score, place)
      where p_mode <> 'semantic'
    ), fused as materialized (
      select coalesce(by_meaning.id, by_words.id) as id, by_meaning.score as by_meaning, by_words.score as by_words,
        greatest(by_meaning.score, by_words.score) as score,
        coalesce(1.0 / (60 + by_meaning.place), 0) + coalesce(1.0 / (60 + by_words.place), 0) as sum
      from by_meaning
      full join by_words on by_words.id = by_meaning.id
      where greatest(by_meaning.score, by_words.score) >= coalesce(p_min_score, 0)
    )
    select chunks.id, chunks.document_id, documents.name, chunks.heading, chunks.position, chunks.content,
      chunks.metadata, fused.score, fused.by_meaning, fused.by_words
    from fused
    -- Row by row: the planner does not know how few they are and would read all chunks instead.
    cross join lateral (
      select * from public.studio_knowledge_chunks as found where found.id = fused.id offset 0
    ) as chunks
    join public.studio_knowledge_documents as documents on documents.id = chunks.document_id
    order by fused.sum desc, fused.score desc, chunks.id
    limit p_limit;
end;
$$;

create or replace function public.studio_prune_on_start() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  if (select auth.uid()) is not null then
    perform public.studio_prune_runs();
  end if;
  return null;
end;
$$;

create or replace function public.studio_delete_runs(p_filter jsonb) returns integer
language plpgsql security invoker set search_path = ''
as $$
declare
  deleted integer;
begin
  delete from public.studio_runs as runs
  where runs.owner = (select auth.uid()) and runs.status <> 'running'
    and runs.id in (select found.id from public.studio_find_runs(p_filter, null, null) as found);
  get diagnostics deleted = row_count;
  return deleted;
end;
$$;
