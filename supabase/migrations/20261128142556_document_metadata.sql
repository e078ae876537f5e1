-- Subject: knowledge
set check_function_bodies = off;

-- What a document is found by besides its text: texts, numbers, true, false and lists of texts, by name.
alter table public.studio_knowledge_documents add column metadata jsonb not null default '{}'::jsonb check (
  jsonb_typeof(metadata) = 'object' and octet_length(metadata::text) <= 16384
  and jsonb_array_length(jsonb_path_query_array(metadata, '$.keyvalue()')) <= 32
  and not metadata @? 'strict $.* ? (@.type() == "object" || @.type() == "null")'
);
-- What came with the file that a worker is to read; added to what the file itself says.
alter table public.studio_knowledge_documents add column upload_metadata jsonb;

select private.studio_grant_rows('public.studio_knowledge_documents', 'select, insert, delete', 'name, kind, source, content_hash, size, sections, status, error, chunks, tokens, cost_usd, language, language_chosen, deleted_at, ingest, untrusted, upload, file_sha256, metadata');

drop function public.studio_knowledge_by_meaning(uuid, extensions.vector, integer, jsonb, uuid[]);

drop function public.studio_knowledge_by_words(uuid, text, integer, jsonb, uuid[]);

drop function public.studio_search_knowledge(uuid, text, text, text, integer, double precision, jsonb);

drop function public.studio_upload_knowledge_document(uuid, uuid, text, text, uuid, jsonb);

-- Takes the file of an owner that has waited longest to become a document, and begins its ingest: { document, collection, name, source,
-- upload, mediaType, ingest, sha256, untrusted, metadata }; null where none waits. It comes due again after a while, unless its ingest ends.
create or replace function private.studio_claim_upload(p_owner uuid) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  claimed public.studio_knowledge_documents%rowtype;
begin
  perform private.studio_limit_waiting();
  update public.studio_knowledge_documents as due set upload_due = now() + interval '15 minutes', ingest = gen_random_uuid()
  where due.id = (
    select first.id from public.studio_knowledge_documents as first
    where first.owner = p_owner and first.upload is not null and first.upload_due <= now() and first.deleted_at is null
    order by first.upload_due, first.id limit 1 for update skip locked
  )
  returning due.* into claimed;
  if claimed.id is null then
    return null;
  end if;
  return jsonb_build_object('document', claimed.id, 'collection', claimed.collection_id, 'name', claimed.name, 'source', claimed.source,
    'upload', claimed.upload, 'mediaType', (select files.media_type from public.studio_files as files where files.id = claimed.upload),
    'ingest', claimed.ingest, 'sha256', claimed.file_sha256, 'untrusted', claimed.untrusted,
    'metadata', claimed.upload_metadata);
end;
$$;

select private.studio_grant_calls('private.studio_claim_upload(uuid)', 'studio_worker');

-- Adds metadata to the documents of a collection whose names have all words of p_search, and says how many there were. Null as a value
-- removes the field. Errors, by message: knowledge_metadata_limit.
create or replace function public.studio_describe_documents(p_collection_id uuid, p_search text, p_metadata jsonb) returns integer
language plpgsql security invoker set search_path = ''
as $$
declare
  described integer;
begin
  update public.studio_knowledge_documents as documents set metadata = public.studio_merge_metadata(documents.metadata, p_metadata)
  where documents.owner = (select auth.uid()) and documents.collection_id = p_collection_id and documents.deleted_at is null
    and public.studio_fold(documents.name) like all ((select public.studio_search_patterns(p_search))::text[]);
  get diagnostics described = row_count;
  return described;
end;
$$;

select private.studio_grant_calls('public.studio_describe_documents(uuid, text, jsonb)', 'authenticated', 'service_role');

-- A condition as a path that holds for metadata, or null where there is none. p_condition: { is: "and" | "or", of: [conditions] },
-- { is: "not", of: condition } or { is: "=" | "<" | "<=" | ">" | ">=" | "starts with", field, value }. Names and values become
-- literals of the path; a comparison of two types holds for nothing. Errors, by message: knowledge_filter_invalid.
create or replace function public.studio_filter_path(p_condition jsonb, p_depth integer default 0) returns jsonpath
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  kind constant text := p_condition ->> 'is';
  parts text[];
begin
  if p_condition is null then
    return null;
  end if;
  if p_depth > 40 then
    raise exception 'knowledge_filter_invalid' using errcode = 'PT400';
  end if;
  if kind in ('and', 'or') and jsonb_typeof(p_condition -> 'of') = 'array' then
    select array_agg('(' || public.studio_filter_path(part.value, p_depth + 1)::text || ')' order by part.place) into parts
    from jsonb_array_elements(p_condition -> 'of') with ordinality as part (value, place);
    if parts is not null then
      return array_to_string(parts, case kind when 'and' then ' && ' else ' || ' end)::jsonpath;
    end if;
  elsif kind = 'not' and jsonb_typeof(p_condition -> 'of') = 'object' then
    return ('!(' || public.studio_filter_path(p_condition -> 'of', p_depth + 1)::text || ')')::jsonpath;
  elsif kind in ('=', '<', '<=', '>', '>=', 'starts with') and jsonb_typeof(p_condition -> 'field') = 'string'
    and jsonb_typeof(p_condition -> 'value') in ('string', 'number', 'boolean')
    and (kind <> 'starts with' or jsonb_typeof(p_condition -> 'value') = 'string') then
    return format(
      'exists ($.%s ? (@ %s %s))', p_condition -> 'field', case kind when '=' then '==' else kind end, p_condition -> 'value'
    )::jsonpath;
  end if;
  raise exception 'knowledge_filter_invalid' using errcode = 'PT400';
end;
$$;

select private.studio_grant_calls('public.studio_filter_path(jsonb, integer)', 'authenticated', 'service_role');

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

-- What the documents of a collection can be filtered by, at most 200: the types and some values of each field.
create or replace function public.studio_knowledge_fields(p_collection_id uuid)
returns table (name text, types text[], examples jsonb)
language sql stable security invoker set search_path = ''
as $$
  with noted as materialized (
    select field.key, one.value
    from public.studio_knowledge_documents as documents
    cross join lateral jsonb_each(documents.metadata) as field
    cross join lateral jsonb_path_query(field.value, '$[*]') as one (value)
    where documents.owner = (select auth.uid()) and documents.collection_id = p_collection_id and documents.deleted_at is null
  ), found as (
    select noted.key, noted.value, count(*) as times from noted group by noted.key, noted.value
  ), ranked as (
    select found.*, row_number() over (partition by found.key order by found.times desc, found.value) as place from found
  )
  select ranked.key, array_agg(distinct case jsonb_typeof(ranked.value) when 'string' then 'text' else jsonb_typeof(ranked.value) end),
    jsonb_agg(ranked.value order by ranked.place) filter (where ranked.place <= 5)
  from ranked
  group by ranked.key
  order by ranked.key collate "C"
  limit 200;
$$;

select private.studio_grant_calls('public.studio_knowledge_fields(uuid)', 'authenticated', 'service_role');

drop function public.studio_list_documents(uuid, text, jsonb, integer);

-- Documents of a collection, the latest first.
create or replace function public.studio_list_documents(p_collection_id uuid, p_search text, p_after jsonb, p_limit integer)
returns table (
  id uuid, collection_id uuid, name text, kind text, source text, content_hash text, size bigint, status text,
  error jsonb, chunks integer, tokens bigint, cost_usd double precision, language text,
  language_chosen boolean, metadata jsonb, upload uuid, created_at timestamptz, updated_at timestamptz, total bigint, place jsonb
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
    documents.tokens::bigint, documents.cost_usd::double precision, documents.language,
    documents.language_chosen, documents.metadata, documents.upload, documents.created_at, documents.updated_at,
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

-- The metadata of a document once p_added is added: others stay, null removes. Errors, by message: knowledge_metadata_limit.
create or replace function public.studio_merge_metadata(p_present jsonb, p_added jsonb) returns jsonb
language plpgsql immutable set search_path = ''
as $$
declare
  merged constant jsonb := jsonb_strip_nulls(p_present || coalesce(p_added, '{}'::jsonb));
begin
  if jsonb_array_length(jsonb_path_query_array(merged, '$.keyvalue()')) > 32 or octet_length(merged::text) > 16384 then
    raise exception 'knowledge_metadata_limit' using errcode = 'PT400';
  end if;
  return merged;
end;
$$;

select private.studio_grant_calls('public.studio_merge_metadata(jsonb, jsonb)', 'authenticated', 'service_role');

-- What a filter of passages asks for, as a condition: p_filter is one, or names with the values that they have to have.
create or replace function public.studio_place_filter(p_filter jsonb) returns jsonb
language sql immutable parallel safe set search_path = ''
as $$
  select case when p_filter is null or p_filter ? 'is' then p_filter else (
    select jsonb_build_object('is', 'and', 'of', jsonb_agg(jsonb_build_object('is', '=', 'field', wanted.key, 'value', wanted.value)))
    from jsonb_each(p_filter) as wanted having count(*) > 0
  ) end;
$$;

select private.studio_grant_calls('public.studio_place_filter(jsonb)', 'authenticated', 'service_role');

-- Stores what was read of a document, as pending, and begins its ingest: over the document of this name, whose chunks stay until they are
-- arranged, or as a new one, of the id p_id where that is given. p_document: { name, kind, source, hash, size, sections, untrusted, upload, sha256, metadata }.
-- `upload`: the file that it was read from, which is still to be that of this document. Errors, by message:
-- knowledge_collection_missing, knowledge_document_replaced, knowledge_metadata_limit. `metadata` is added to what the document has.
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
  -- Two that bring the same name wait for each other, so that a name stands for one document.
  perform pg_advisory_xact_lock(hashtextextended(p_collection_id::text || ' ' || (p_document ->> 'name'), 0));
  return query
    update public.studio_knowledge_documents as documents
    set kind = p_document ->> 'kind', source = p_document ->> 'source', content_hash = p_document ->> 'hash',
      size = (p_document ->> 'size')::bigint, sections = p_document -> 'sections',
      untrusted = coalesce(p_document -> 'untrusted', '[]'::jsonb), status = 'pending', error = null, ingest = gen_random_uuid(),
      upload = (p_document ->> 'upload')::uuid, file_sha256 = p_document ->> 'sha256',
      metadata = public.studio_merge_metadata(documents.metadata, p_document -> 'metadata')
    where documents.id = (
      select known.id from public.studio_knowledge_documents as known
      where known.collection_id = p_collection_id and known.name = p_document ->> 'name' and known.deleted_at is null
      order by known.created_at, known.id limit 1
    ) and (p_document ->> 'upload' is null or documents.upload = (p_document ->> 'upload')::uuid)
    returning documents.id, documents.ingest;
  if found then
    return;
  end if;
  if p_document ->> 'upload' is not null then
    raise exception 'knowledge_document_replaced' using errcode = 'PT409';
  end if;
  return query
    insert into public.studio_knowledge_documents as documents
      (id, collection_id, name, kind, source, content_hash, size, sections, untrusted, metadata, ingest)
    values (
      coalesce(p_id, gen_random_uuid()), p_collection_id, p_document ->> 'name', p_document ->> 'kind', p_document ->> 'source',
      p_document ->> 'hash', (p_document ->> 'size')::bigint, p_document -> 'sections',
      coalesce(p_document -> 'untrusted', '[]'::jsonb),
      public.studio_merge_metadata('{}'::jsonb, p_document -> 'metadata'), gen_random_uuid()
    )
    returning documents.id, documents.ingest;
end;
$$;

select private.studio_grant_calls('public.studio_put_knowledge_document(uuid, uuid, jsonb)', 'authenticated', 'service_role');

-- Documents of an owner's collection by name, those after p_after: [{ name, status, size, chunks, sha256, source, metadata, error, updatedAt }],
-- or the one that is called p_name. Null where the owner has no such collection.
create or replace function public.studio_read_documents(
  p_owner uuid, p_collection_id uuid, p_name text, p_after text, p_limit integer
) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce((
    select jsonb_agg(jsonb_build_object('name', found.name, 'status', found.status, 'size', found.size, 'chunks', found.chunks,
      'sha256', found.file_sha256, 'source', found.source,
      'metadata', found.metadata, 'error', found.error, 'updatedAt', found.updated_at) order by found.name collate "C")
    from (
      select documents.* from public.studio_knowledge_documents as documents
      where documents.collection_id = collections.id and documents.owner = p_owner and documents.deleted_at is null
        and (p_name is null or documents.name = p_name) and (p_after is null or documents.name collate "C" > p_after)
      order by documents.name collate "C" limit least(p_limit, 1000)
    ) as found
  ), '[]'::jsonb)
  from public.studio_knowledge_collections as collections
  where collections.id = p_collection_id and collections.owner = p_owner and collections.deleted_at is null;
$$;

select private.studio_grant_calls('public.studio_read_documents(uuid, uuid, text, text, integer)', 'service_role');

-- What a collection knows about a question, best first. p_mode: semantic, keyword or hybrid; p_embedding: the question's
-- vector as text such as "[0.1,0.2]", or null, which makes hybrid keyword. All scores lie between 0 and 1, see the two
-- functions above; score is the better half's, and p_min_score compares it. Hybrid orders by reciprocal rank fusion.
-- p_documents: a condition that the documents' metadata have to fulfil, see studio_filter_path; p_filter: one for passages, with their
-- documents' metadata, see studio_place_filter.
-- Errors, by message: knowledge_collection_missing, knowledge_vector_missing (semantic without one),
-- knowledge_vector_length <expected> <got>.
create or replace function public.studio_search_knowledge(
  p_collection_id uuid, p_text text, p_embedding text, p_mode text, p_limit integer, p_min_score double precision,
  p_filter jsonb, p_documents jsonb default null
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
  wanted_documents constant jsonpath := public.studio_filter_path(p_documents);
  wanted_passages constant jsonpath := public.studio_filter_path(public.studio_place_filter(p_filter));
  -- Each half brings more than is asked for, so that a chunk that is good in both can win.
  depth constant integer := case when p_mode = 'hybrid' then greatest(p_limit * 4, 40) else p_limit end;
begin
  select collections.dimension into expected from public.studio_knowledge_collections as collections
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
    )
    select chunks.id, chunks.document_id, documents.name, chunks.heading, chunks.position, chunks.content,
      documents.metadata || chunks.metadata, fused.score, fused.by_meaning, fused.by_words
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

select private.studio_grant_calls('public.studio_search_knowledge(uuid, text, text, text, integer, double precision, jsonb, jsonb)', 'authenticated', 'service_role');

-- Takes a file that is to become a document of an owner's collection, or to replace the one of its name, once a worker has read it:
-- { id, status, unchanged }. Null where the owner has no such collection. The same file again under the same name is not read again.
-- p_metadata is added to what the document has. Errors, by message: knowledge_metadata_limit.
create or replace function public.studio_upload_knowledge_document(
  p_owner uuid, p_collection_id uuid, p_name text, p_source text, p_file uuid, p_untrusted jsonb,
  p_metadata jsonb default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  file public.studio_files%rowtype;
  known public.studio_knowledge_documents%rowtype;
begin
  if not exists (
    select from public.studio_knowledge_collections as collections
    where collections.id = p_collection_id and collections.owner = p_owner and collections.deleted_at is null
  ) then
    return null;
  end if;
  select files.* into strict file from public.studio_files as files where files.id = p_file and files.owner = p_owner;
  -- Two that bring the same name wait for each other, so that a name stands for one document.
  perform pg_advisory_xact_lock(hashtextextended(p_collection_id::text || ' ' || p_name, 0));
  select documents.* into known from public.studio_knowledge_documents as documents
  where documents.collection_id = p_collection_id and documents.owner = p_owner and documents.name = p_name
    and documents.deleted_at is null
  order by documents.created_at, documents.id limit 1;
  -- Refused here, where somebody waits for the answer.
  perform public.studio_merge_metadata(coalesce(known.metadata, '{}'::jsonb), p_metadata);
  if known.id is not null and known.file_sha256 = file.sha256 and known.source = p_source
    and (known.status = 'ready' or known.upload is not null) then
    update public.studio_knowledge_documents as documents
    set metadata = public.studio_merge_metadata(documents.metadata, p_metadata),
      upload_metadata = coalesce(documents.upload_metadata, '{}'::jsonb) || coalesce(p_metadata, '{}'::jsonb)
    where documents.id = known.id and p_metadata is not null;
    return jsonb_build_object('id', known.id, 'status', known.status, 'unchanged', true);
  end if;
  if known.id is null then
    insert into public.studio_knowledge_documents as documents
      (owner, collection_id, name, kind, source, content_hash, size, untrusted, upload_metadata, metadata, upload, upload_due, file_sha256, ingest)
    values (p_owner, p_collection_id, p_name, 'text', p_source, file.sha256, file.size, p_untrusted, p_metadata,
      public.studio_merge_metadata('{}'::jsonb, p_metadata), p_file, now(), file.sha256,
      gen_random_uuid())
    returning documents.* into known;
  else
    update public.studio_knowledge_documents as documents
    set source = p_source, untrusted = p_untrusted, upload_metadata = p_metadata,
      metadata = public.studio_merge_metadata(documents.metadata, p_metadata), upload = p_file, upload_due = now(), file_sha256 = file.sha256,
      status = 'pending', error = null, ingest = gen_random_uuid()
    where documents.id = known.id;
  end if;
  return jsonb_build_object('id', known.id, 'status', 'pending', 'unchanged', false);
end;
$$;

select private.studio_grant_calls('public.studio_upload_knowledge_document(uuid, uuid, text, text, uuid, jsonb, jsonb)', 'service_role');
