-- Collections of documents that agents search. A document has what was read of it, so that it can be split again and an
-- interrupted ingest can go on; its chunks are what is found.
set check_function_bodies = off;

create table public.studio_knowledge_collections (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 200),
  description text not null default '' check (char_length(description) <= 2000),
  -- Who makes the vectors; both null: searched by keyword only.
  embedding_provider text check (char_length(embedding_provider) between 1 and 100),
  embedding_model text check (char_length(embedding_model) between 1 and 200),
  embedding_credential text not null default '' check (char_length(embedding_credential) <= 200),
  -- Numbers per vector, known from the first one on.
  dimension integer check (dimension between 1 and 16000),
  chunk_size integer not null default 800 check (chunk_size between 50 and 4000),
  chunk_overlap integer not null default 100 check (chunk_overlap between 0 and 1000),
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, owner),
  check ((embedding_provider is null) = (embedding_model is null)),
  check (chunk_overlap < chunk_size)
);

create index studio_knowledge_collections_of_owner on public.studio_knowledge_collections (owner);

select private.studio_grant_rows('public.studio_knowledge_collections', 'select, insert, delete', 'name, description, embedding_provider, embedding_model, embedding_credential, dimension, chunk_size, chunk_overlap, deleted_at');

create table public.studio_knowledge_documents (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null default auth.uid(),
  collection_id uuid not null,
  name text not null check (char_length(name) between 1 and 500),
  kind text not null check (kind in ('text', 'markdown', 'html', 'csv', 'json', 'pdf')),
  source text not null default '' check (char_length(source) <= 8192),
  -- Of text and structure, so that the same file is noticed under another name.
  content_hash text not null check (char_length(content_hash) between 1 and 128),
  size bigint not null default 0 check (size >= 0),
  -- What was read: [{ headings, text, metadata, alone }].
  sections jsonb not null default '[]'::jsonb
    check (jsonb_typeof(sections) = 'array' and octet_length(sections::text) <= 33554432),
  status text not null default 'pending' check (status in ('pending', 'ready', 'failed')),
  error jsonb,
  chunks integer not null default 0,
  tokens bigint not null default 0,
  -- Of all its embedding requests; null where a price is not known.
  cost_usd double precision default 0,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, collection_id, owner),
  foreign key (collection_id, owner) references public.studio_knowledge_collections (id, owner) on delete cascade
);

create index studio_knowledge_documents_of_owner on public.studio_knowledge_documents (owner, status);
create index studio_knowledge_documents_of_collection_newest
  on public.studio_knowledge_documents (collection_id, owner, created_at desc);

select private.studio_grant_rows('public.studio_knowledge_documents', 'select, insert, delete', 'name, kind, source, content_hash, size, sections, status, error, chunks, tokens, cost_usd, deleted_at');

create table public.studio_knowledge_chunks (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null default auth.uid(),
  collection_id uuid not null,
  document_id uuid not null,
  "position" integer not null check ("position" >= 0),
  heading text not null default '' check (char_length(heading) <= 2000),
  content text not null check (octet_length(content) <= 262144),
  -- Of heading and content: a chunk that did not change is not embedded again.
  content_hash text not null check (char_length(content_hash) between 1 and 128),
  tokens integer not null default 0,
  metadata jsonb not null default '{}'::jsonb check (jsonb_typeof(metadata) = 'object'),
  -- Without a length, because every collection has a model of its own; see the indices.
  embedding extensions.vector,
  embedded boolean not null generated always as (embedding is not null) stored,
  search tsvector not null generated always as (
    setweight(to_tsvector('pg_catalog.english', heading), 'A') || to_tsvector('pg_catalog.english', content)
  ) stored,
  created_at timestamptz not null default now(),
  foreign key (document_id, collection_id, owner)
    references public.studio_knowledge_documents (id, collection_id, owner) on delete cascade
);

create index studio_knowledge_chunks_of_document on public.studio_knowledge_chunks (document_id, "position");
-- Both in one, so that a word that all collections have costs no more than the collection that is searched. The list
-- of pending entries is kept short, because every search reads it whole and the embedded stack has no autovacuum.
create index studio_knowledge_chunks_search on public.studio_knowledge_chunks
  using gin (collection_id, search) with (gin_pending_list_limit = 256);
create index studio_knowledge_chunks_of_collection_and_document
  on public.studio_knowledge_chunks (collection_id, document_id, owner);

select private.studio_grant_rows('public.studio_knowledge_chunks', 'select, insert, delete', 'position, metadata, embedding');

-- The words of a collection as they are written, for finding what a mistyped one means: an index of trigrams over words
-- is a hundredth of one over chunks. Words of deleted chunks stay; they find nothing.
create table public.studio_knowledge_words (
  owner uuid not null default auth.uid(),
  collection_id uuid not null,
  word text not null check (char_length(word) between 1 and 100),
  primary key (collection_id, word),
  foreign key (collection_id, owner) references public.studio_knowledge_collections (id, owner) on delete cascade
);

create index studio_knowledge_words_alike on public.studio_knowledge_words
  using gin (collection_id, word extensions.gin_trgm_ops) with (gin_pending_list_limit = 256);
create index studio_knowledge_words_of_collection on public.studio_knowledge_words (collection_id, owner);

select private.studio_grant_rows('public.studio_knowledge_words', 'select, insert');

create table public.studio_knowledge_bits (
  chunk_id uuid not null,
  owner uuid not null,
  collection_id uuid not null,
  document_id uuid not null,
  bits bit varying not null,
  primary key (chunk_id),
  foreign key (chunk_id)
    references public.studio_knowledge_chunks (id) on delete cascade
);
-- As they are: compressing signs gains nothing, and long ones would be moved out of line.
alter table public.studio_knowledge_bits alter column bits set storage plain;

create index studio_knowledge_bits_of_collection on public.studio_knowledge_bits (collection_id);

select private.studio_grant_rows('public.studio_knowledge_bits', 'select');

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

select private.studio_grant_calls('public.studio_note_knowledge_words()', 'service_role');

-- The chunks of a collection whose vectors are closest to p_embedding by cosine distance; score = (1 + cosine) / 2.
create or replace function public.studio_knowledge_by_meaning(
  p_collection_id uuid, p_embedding extensions.vector, p_limit integer, p_filter jsonb, p_hidden uuid[]
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
             where described.id = bits.chunk_id and described.metadata @> $3
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

select private.studio_grant_calls('public.studio_knowledge_by_meaning(uuid, extensions.vector, integer, jsonb, uuid[])', 'authenticated', 'service_role');

-- The chunks of a collection that have most of p_text's words; score = (1 + cosine) / 2, where the cosine is that between
-- the question's words, each weighing ln(1 + chunks / chunks that have it), and those of them that the chunk has:
-- sqrt(sum of their squares / sum of all squares). p_text is read as websearch_to_tsquery does: "quoted" words must stand together,
-- words after a minus must be absent. A word that no chunk has stands for the most similar ones, at their similarity.
--
-- It runs with its maker's rights, because row level security keeps Postgres from asking a text index (its operators are
-- not leakproof, so they may only see rows that passed the policy), and it reads only what is the caller's: every query
-- compares the owner. It tells ids and scores alone; the caller reads the rows through row level security.
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

select private.studio_grant_calls('public.studio_knowledge_by_words(uuid, text, integer, jsonb, uuid[])', 'authenticated', 'service_role');

-- What a collection knows about a question, best first. p_mode: semantic, keyword or hybrid; p_embedding: the question's
-- vector as text such as "[0.1,0.2]", or null, which makes hybrid keyword. All scores lie between 0 and 1, see the two
-- functions above; score is the better half's, and p_min_score compares it. Hybrid orders by reciprocal rank fusion.
-- Errors, by message: knowledge_collection_missing, knowledge_vector_missing (semantic without one),
-- knowledge_vector_length <expected> <got>.
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

select private.studio_grant_calls('public.studio_search_knowledge(uuid, text, text, text, integer, double precision, jsonb)', 'authenticated', 'service_role');

-- Who makes a collection's vectors from now on; p_provider null: nobody. Vectors of another model are of no use, so a
-- change of provider or model drops them and makes the documents pending.
create or replace function public.studio_set_knowledge_embedding(
  p_collection_id uuid, p_provider text, p_model text, p_credential text
) returns void
language plpgsql security invoker set search_path = ''
as $$
declare
  same boolean;
begin
  select collections.embedding_provider is not distinct from p_provider
    and collections.embedding_model is not distinct from p_model into same
  from public.studio_knowledge_collections as collections where collections.id = p_collection_id for update;
  if not found then
    raise exception 'knowledge_collection_missing';
  end if;
  update public.studio_knowledge_collections as collections
  set embedding_provider = p_provider, embedding_model = p_model, embedding_credential = coalesce(p_credential, ''),
    dimension = case when same then collections.dimension end
  where collections.id = p_collection_id;
  if same then
    return;
  end if;
  update public.studio_knowledge_chunks as chunks set embedding = null
  where chunks.collection_id = p_collection_id and chunks.embedding is not null;
  if p_provider is not null then
    update public.studio_knowledge_documents as documents set status = 'pending', error = null
    where documents.collection_id = p_collection_id;
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_set_knowledge_embedding(uuid, text, text, text)', 'authenticated', 'service_role');

-- Adds chunks to a document, or vectors to chunks that are there: all or none. p_model: "provider/model" of the vectors,
-- null when there are none. p_chunks: [{ id?, position, heading, content, hash, tokens, metadata, embedding }]; one with
-- an id only gets its vector. Errors, by message: knowledge_document_missing, knowledge_model_changed,
-- knowledge_vector_length <expected> <got>.
create or replace function public.studio_store_knowledge_chunks(p_document_id uuid, p_model text, p_chunks jsonb) returns void
language plpgsql security invoker set search_path = ''
as $$
declare
  collection public.studio_knowledge_collections%rowtype;
  target uuid;
  lengths integer[];
begin
  select documents.collection_id into target from public.studio_knowledge_documents as documents
  where documents.id = p_document_id and documents.deleted_at is null;
  if target is null then
    raise exception 'knowledge_document_missing';
  end if;
  if p_model is not null then
    -- Locked, so that the first vectors of two documents agree on a length.
    select * into collection from public.studio_knowledge_collections as collections
    where collections.id = target for update;
    if p_model is distinct from collection.embedding_provider || '/' || collection.embedding_model then
      raise exception 'knowledge_model_changed';
    end if;
    select array_agg(distinct extensions.vector_dims((given.value ->> 'embedding')::extensions.vector)) into lengths
    from jsonb_array_elements(p_chunks) as given where given.value ->> 'embedding' is not null;
    if collection.dimension is null and array_length(lengths, 1) = 1 then
      update public.studio_knowledge_collections as collections set dimension = lengths[1]
      where collections.id = target;
    elsif exists (select from unnest(lengths) as one where one <> coalesce(collection.dimension, lengths[1])) then
      raise exception 'knowledge_vector_length % %', coalesce(collection.dimension, lengths[1]),
        (select one from unnest(lengths) as one where one <> coalesce(collection.dimension, lengths[1]) limit 1);
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

select private.studio_grant_calls('public.studio_store_knowledge_chunks(uuid, text, jsonb)', 'authenticated', 'service_role');

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

-- Closes an ingest: counts what is stored, adds what it cost (null: not known).
create or replace function public.studio_finish_knowledge_document(
  p_document_id uuid, p_status text, p_error jsonb, p_cost_usd double precision
) returns void
language sql security invoker set search_path = ''
as $$
  update public.studio_knowledge_documents as documents
  set status = p_status, error = p_error, cost_usd = documents.cost_usd + p_cost_usd,
    chunks = counted.chunks, tokens = counted.tokens
  from (
    select count(*) as chunks, coalesce(sum(stored.tokens), 0) as tokens
    from public.studio_knowledge_chunks as stored where stored.document_id = p_document_id
  ) as counted
  where documents.id = p_document_id;
$$;

select private.studio_grant_calls('public.studio_finish_knowledge_document(uuid, text, jsonb, double precision)', 'authenticated', 'service_role');

-- Collections by name, or those with the given ids (null: all), with what they hold.
create or replace function public.studio_list_collections(p_search text, p_ids uuid[], p_after jsonb, p_limit integer)
returns table (
  id uuid, name text, description text, embedding_provider text, embedding_model text, embedding_credential text,
  dimension integer, chunk_size integer, chunk_overlap integer, documents bigint, chunks bigint,
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
    collections.chunk_overlap, held.documents, held.chunks, collections.created_at,
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

-- Documents of a collection, the latest first.
create or replace function public.studio_list_documents(p_collection_id uuid, p_search text, p_after jsonb, p_limit integer)
returns table (
  id uuid, collection_id uuid, name text, kind text, source text, content_hash text, size bigint, status text,
  error jsonb, chunks integer, tokens bigint, cost_usd double precision, created_at timestamptz,
  updated_at timestamptz, total bigint, place jsonb
)
language sql stable security invoker set search_path = ''
as $$
  with fitting as materialized (
    select documents.id, documents.created_at
    from public.studio_knowledge_documents as documents
    where documents.owner = (select auth.uid()) and documents.collection_id = p_collection_id
      and documents.deleted_at is null
      and public.studio_fold(documents.name) like all ((select public.studio_search_patterns(p_search))::text[])
  )
  select documents.id, documents.collection_id, documents.name, documents.kind, documents.source,
    documents.content_hash, documents.size::bigint, documents.status, documents.error, documents.chunks::integer,
    documents.tokens::bigint, documents.cost_usd::double precision, documents.created_at, documents.updated_at,
    (select count(*) from fitting),
    jsonb_build_object('id', fitting.id, 'moment', fitting.created_at)
  from fitting
  join public.studio_knowledge_documents as documents on documents.id = fitting.id
  where p_after is null
    or (fitting.created_at, fitting.id) < ((p_after ->> 'moment')::timestamptz, (p_after ->> 'id')::uuid)
  order by fitting.created_at desc, fitting.id desc
  limit p_limit;
$$;

select private.studio_grant_calls('public.studio_list_documents(uuid, text, jsonb, integer)', 'authenticated', 'service_role');

create or replace function private.studio_note_knowledge_bits() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.studio_knowledge_bits (chunk_id, owner, collection_id, document_id, bits)
  select added.id, added.owner, added.collection_id, added.document_id, extensions.binary_quantize(added.embedding)
  from added where added.embedding is not null;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_note_knowledge_bits()');

-- A trigger with a table of all changed rows cannot be for one column, and most changes of chunks are of their places.
create or replace function private.studio_change_knowledge_bits() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.embedding is null then
    delete from public.studio_knowledge_bits as bits where bits.chunk_id = new.id;
  else
    insert into public.studio_knowledge_bits (chunk_id, owner, collection_id, document_id, bits)
    values (new.id, new.owner, new.collection_id, new.document_id, extensions.binary_quantize(new.embedding))
    on conflict (chunk_id) do update set bits = excluded.bits;
  end if;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_change_knowledge_bits()');

create trigger studio_knowledge_collections_touch before update on public.studio_knowledge_collections
  for each row execute function public.studio_touch_updated_at();

create trigger studio_knowledge_documents_touch before update on public.studio_knowledge_documents
  for each row execute function public.studio_touch_updated_at();

create trigger studio_knowledge_chunks_words after insert on public.studio_knowledge_chunks
  referencing new table as added for each statement execute function public.studio_note_knowledge_words();
create trigger studio_knowledge_chunks_bits after insert on public.studio_knowledge_chunks
  referencing new table as added for each statement execute function private.studio_note_knowledge_bits();
create trigger studio_knowledge_chunks_changed_bits after update of embedding on public.studio_knowledge_chunks
  for each row execute function private.studio_change_knowledge_bits();

select private.studio_count_table('public.studio_knowledge_collections', 'rows', 'octet_length(item.description)');
select private.studio_count_table('public.studio_knowledge_documents', 'documents',
  'octet_length(item.sections::text)', 'greatest(item.size, octet_length(item.sections::text))');
select private.studio_count_table('public.studio_knowledge_chunks', 'rows',
  'octet_length(item.content) + octet_length(item.metadata::text)
   + coalesce(4 * extensions.vector_dims(item.embedding), 0)');
select private.studio_count_table('public.studio_knowledge_words', 'words', 'octet_length(item.word)');
select private.studio_count_table('public.studio_knowledge_bits', 'words', 'octet_length(item.bits)');

reset check_function_bodies;
