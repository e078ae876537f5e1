-- Subject: knowledge
set check_function_bodies = off;

-- Names of text search configurations; `simple` compares words as they are written. Null: guessed for each document.
alter table public.studio_knowledge_collections add column language text check (language in (
    'arabic', 'armenian', 'basque', 'catalan', 'danish', 'dutch', 'english', 'finnish', 'french', 'german', 'greek', 'hindi',
    'hungarian', 'indonesian', 'irish', 'italian', 'lithuanian', 'nepali', 'norwegian', 'portuguese', 'romanian', 'russian', 'serbian', 'simple',
    'spanish', 'swedish', 'tamil', 'turkish', 'yiddish'));
-- Null: not guessed yet.
alter table public.studio_knowledge_documents add column language text check (language in (
    'arabic', 'armenian', 'basque', 'catalan', 'danish', 'dutch', 'english', 'finnish', 'french', 'german', 'greek', 'hindi',
    'hungarian', 'indonesian', 'irish', 'italian', 'lithuanian', 'nepali', 'norwegian', 'portuguese', 'romanian', 'russian', 'serbian', 'simple',
    'spanish', 'swedish', 'tamil', 'turkish', 'yiddish'));
alter table public.studio_knowledge_documents add column language_chosen boolean not null default false;
-- Its chunks are indexed in another language than its own, as all are that were there before; studio_reindex_owner mends it.
alter table public.studio_knowledge_documents add column stale boolean not null default true;
alter table public.studio_knowledge_documents alter column stale set default false;
create index studio_knowledge_documents_stale on public.studio_knowledge_documents (owner) where stale;

-- What was worked out by Postgres stays until a chunk is indexed anew: nothing is rewritten here.
alter table public.studio_knowledge_chunks alter column search drop expression;
alter table public.studio_knowledge_chunks alter column search set default '';
-- In which it is indexed.
alter table public.studio_knowledge_chunks add column language text;

select private.studio_grant_rows('public.studio_knowledge_collections', 'select, insert, delete', 'name, description, embedding_provider, embedding_model, embedding_credential, dimension, chunk_size, chunk_overlap, language, deleted_at');
select private.studio_grant_rows('public.studio_knowledge_documents', 'select, insert, delete', 'name, kind, source, content_hash, size, sections, status, error, chunks, tokens, cost_usd, language, language_chosen, deleted_at');

drop trigger studio_knowledge_chunks_words on public.studio_knowledge_chunks;

drop function public.studio_note_knowledge_words();

-- Owners for whom a chore is due, in the order of their ids, from p_after on; `failing`: it has failed for them the last time.
-- Owners who are set aside are left out.
create or replace function private.studio_due_owners(p_chore text, p_after uuid, p_limit integer)
returns table (owner uuid, failing boolean)
language sql stable security definer set search_path = ''
as $$
  select due.owner, problems.owner is not null
  from (
    select triggers.owner from public.studio_triggers as triggers
    where p_chore = 'schedules' and triggers.enabled and triggers.problem is null
      and (triggers.next_at is null or triggers.next_at <= now())
    union
    select waits.owner from public.studio_run_waits as waits
    where p_chore = 'waits' and waits.decision is null and waits.expires_at <= now()
    union
    select runs.owner from public.studio_runs as runs
    where p_chore in ('claims', 'lost-runs') and runs.status = 'running' and runs.source <> 'editor'
      and runs.lease_until < now()
    union
    select runs.owner from public.studio_runs as runs where p_chore = 'claims' and runs.status = 'queued'
    union
    select users.id from auth.users as users
    left join private.studio_pruned as pruned on pruned.owner = users.id
    where p_chore = 'retention' and (pruned.at is null or pruned.at < now() - interval '1 day')
    union
    select notices.owner from private.studio_notices as notices where p_chore = 'notices' and notices.next_at <= now()
    union
    select exports.owner from private.studio_trace_exports as exports where p_chore = 'traces' and exports.next_at <= now()
    union
    select documents.owner from public.studio_knowledge_documents as documents where p_chore = 'reindexing' and documents.stale
    union
    select deletions.owner from private.studio_deletions as deletions where p_chore = 'deletions'
  ) as due
  left join private.studio_chore_problems as problems on problems.owner = due.owner and problems.chore = p_chore
  where (p_after is null or due.owner > p_after) and not private.studio_is_set_aside(p_chore, due.owner)
    and (p_chore = 'deletions'
      or not exists (select from private.studio_deletions as deletions where deletions.owner = due.owner))
  order by due.owner
  limit p_limit;
$$;

select private.studio_grant_calls('private.studio_due_owners(text, uuid, integer)', 'studio_worker');

-- The documents of a collection follow its language, but for those whose own a person chose.
create or replace function private.studio_change_collection_language() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Guessing is left to studio_reindex_owner.
  update public.studio_knowledge_documents as documents set language = new.language
  where documents.collection_id = new.id and documents.owner = new.owner and not documents.language_chosen;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_change_collection_language()');

-- The language of a document: that of its collection, or else guessed from up to 20 of its sections, from beginning to end.
create or replace function private.studio_document_language(p_collection_id uuid, p_owner uuid, p_sections jsonb) returns text
language sql stable security invoker set search_path = ''
as $$
  select coalesce(
    (
      select collections.language from public.studio_knowledge_collections as collections
      where collections.id = p_collection_id and collections.owner = p_owner
    ),
    private.studio_guess_language((
      select string_agg(left(p_sections -> (number * counted.sections / counted.read) ->> 'text', 8000 / counted.read), ' ' order by number)
      from (select jsonb_array_length(p_sections) as sections, least(greatest(jsonb_array_length(p_sections), 1), 20) as read) as counted
      cross join lateral generate_series(0, counted.read - 1) as number
    ))
  );
$$;

select private.studio_grant_calls('private.studio_document_language(uuid, uuid, jsonb)');

-- The language that a text is written in, for its stemmer: by its script, and among languages of one script by how many of its words
-- are stop words. Those that have neither stemmer nor blanks are `simple`; a text in Latin letters that says nothing is `english`.
create or replace function private.studio_guess_language(p_text text) returns text
language plpgsql stable security invoker set search_path = ''
as $$
declare
  sample constant text := lower(normalize(left(p_text, 8000), nfkc));
  script text;
  guessed text;
  share double precision;
begin
  select scripts.name into script
  from (values ('latin', '[^a-z\u00df-\u024f\u1e00-\u1eff]+'), ('greek', '[^\u0370-\u03ff\u1f00-\u1fff]+'),
    ('cyrillic', '[^\u0400-\u04ff]+'), ('armenian', '[^\u0561-\u0587]+'), ('arabic', '[^\u0620-\u06d3]+'),
    ('devanagari', '[^\u0900-\u097f]+'), ('tamil', '[^\u0b80-\u0bff]+'),
    ('simple', '[^\u05d0-\u05ea\u0980-\u0b7f\u0c00-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]+')
  ) as scripts (name, others)
  cross join lateral (select char_length(regexp_replace(sample, scripts.others, '', 'g')) as letters) as counted
  -- A letter of a script without an alphabet says more.
  order by counted.letters * case when scripts.name = 'simple' then 2 else 1 end desc, scripts.name = 'latin' desc
  limit 1;
  if script in ('greek', 'armenian', 'tamil', 'simple') then
    return script;
  elsif script = 'arabic' then
    -- Letters of Persian and Urdu.
    return case when sample ~ '[\u067e\u0686\u0698\u06af\u0679\u06d2]' then 'simple' else 'arabic' end;
  elsif script = 'devanagari' then
    -- "And" or "is" in Marathi; endings of Nepali.
    return case when sample ~ '(\u0906\u0923\u093f|\u0906\u0939\u0947)' then 'simple'
      when sample ~ '(\u0939\u0930\u0942|\u0932\u093e\u0908|\u0928\u094d\u091b)' then 'nepali' else 'hindi' end;
  elsif script = 'cyrillic' then
    return case
      when sample ~ '[\u0458\u0459\u045a\u045b\u0452\u045f]' then 'serbian'
      when sample ~ '[\u0456\u0457\u0454\u0491\u045e\u0493\u049b\u04a3\u04af\u04b1\u04bb\u04d9\u04e9]' then 'simple'
      -- Bulgarian and Macedonian do without them.
      when sample ~ '[\u044b\u044d\u0451]' or char_length(sample) < 60 then 'russian'
      else 'simple'
    end;
  end if;
  with words as (
    select lexeme as word, cardinality(positions) as times from unnest(to_tsvector('pg_catalog.simple', sample))
    where char_length(lexeme) > 1 and lexeme !~ '[0-9]'
  ), stopped as (
    select stems.language, words.word, words.times
    from unnest(array['danish', 'dutch', 'english', 'finnish', 'french', 'german', 'hungarian', 'italian', 'norwegian', 'portuguese',
      'spanish', 'swedish', 'turkish']) as stems (language)
    join words on ts_lexize(('pg_catalog.' || stems.language || '_stem')::regdictionary, words.word) = '{}'
    union all
    -- Postgres has no stop words of these. The last are of Polish, Czech, Slovak, Slovene, Vietnamese, Estonian, Latvian, Albanian and
    -- Swahili.
    select lists.language, words.word, words.times
    from (values
      ('basque', 'eta da ez dira bat du edo den hau zen dute izan baina ere dituen bere hori dago behar egin da-da duen bezala baino zein'),
      ('catalan', 'de la que el els les en per un una amb es és al als del dels no ho com més són però aquest aquesta entre seva seu també ser cal dia ha hi qual'),
      ('indonesian', 'yang dan di dari untuk dengan dalam ini itu tidak ke pada adalah akan atau oleh juga dapat ada sudah telah bisa anda kami sebagai lebih satu sama mereka'),
      ('irish', 'an na agus is ar go le tá do ag ní bhí sé sí gach den leis mar ach nó bheith seo sin bhfuil ais gur ba chuig féidir i'),
      ('lithuanian', 'ir yra kad iš su į tai ne per bus apie buvo kaip nuo bei jų savo ar po už dėl jis jie turi gali galima būti arba jei tą'),
      ('romanian', 'de și în a la cu pe că nu un o se din este să mai sunt ce care pentru prin sau fi al ale dar ca lui au ei el ele față'),
      ('serbian', 'je se na da su za od ne sa kao ali bi koji koja koje što može ili biti samo ovo ili po do kako ako više nije'),
      ('simple', 'się jest nie że przez dla oraz które który jako są pod być tym jak ich swej swych swoich na do od po za wobec lub może można tego'),
      ('simple', 'se je na že jsou které který jako není byl pro jsem podle nebo také lze co do za aby jejich mají být svobodní sú ktoré ktorý ako alebo že nie pre sa majú'),
      ('simple', 'je se na so za ki da ne bi ali kot pri tudi imajo lahko po od iz naj drug'),
      ('simple', 'và của là các được cho có không những trong một người này với đã để từ khi phải về'),
      ('simple', 'ja on ei et see ka mis kui oma ning või aga selle neile nende kõik peab'),
      ('simple', 'un ir uz ar par no ka kas lai ja nav vai viņi viņiem savā pret var tiek'),
      ('simple', 'të dhe në për me një nga që është janë do nuk si ka duhet ose kanë'),
      ('simple', 'na ya wa kwa ni katika za la cha kuwa hii yao wote hivyo au kama')
    ) as lists (language, list)
    join words on words.word = any (string_to_array(lists.list, ' '))
  ), strange as (
    -- Words with a letter that the language does not have.
    select alphabets.language, sum(words.times) as times
    from (values ('basque', 'ñç'), ('catalan', 'àçèéíïòóúü·'), ('danish', 'æøåé'), ('dutch', 'áéèëêïíóöü'), ('english', 'éï'), ('finnish', 'äöåšž'),
      ('french', 'àâæçéèêëîïôœùûüÿ'), ('german', 'äöüßé'), ('hungarian', 'áéíóöőúüű'), ('indonesian', 'é'), ('irish', 'áéíóú'),
      ('italian', 'àèéìíîòóùú'), ('lithuanian', 'ąčęėįšųūž'), ('norwegian', 'æøåéèêòóô'), ('portuguese', 'áâãàçéêíóôõúü'),
      ('romanian', 'ăâîșşțţ'), ('serbian', 'čćđšž'), ('spanish', 'áéíñóúü'), ('swedish', 'åäöéà'), ('turkish', 'çğıöşüâîû')
    ) as alphabets (language, letters)
    join words on octet_length(words.word) > char_length(words.word) and words.word ~ ('[^\u0001-\u007f' || alphabets.letters || ']')
    group by alphabets.language
  ), counted as (
    select by_list.language, sum(by_list.times)::double precision as times, count(distinct by_list.word) as kinds
    from (select distinct stopped.language, stopped.word, stopped.times from stopped) as by_list
    group by by_list.language
  )
  select counted.language, counted.times / (select sum(words.times) from words) into guessed, share
  from counted left join strange on strange.language = counted.language
  order by counted.times - 2 * coalesce(strange.times, 0) desc, counted.kinds desc, counted.language in ('english', 'simple') desc, counted.language
  limit 1;
  return case when share > 0.1 then guessed else 'english' end;
end;
$$;

select private.studio_grant_calls('private.studio_guess_language(text)');

create or replace function private.studio_index_knowledge_chunk() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.language := coalesce((
    select documents.language from public.studio_knowledge_documents as documents
    where documents.id = new.document_id and documents.owner = new.owner
  ), 'english');
  new.search := private.studio_search_vector(new.language, new.heading, new.content);
  return new;
end;
$$;

select private.studio_grant_calls('private.studio_index_knowledge_chunk()');

-- The chunks of a collection that have most of p_text's words; score = (1 + cosine) / 2, where the cosine is that between
-- the question's words, each weighing ln(1 + chunks / chunks that have it), and those of them that the chunk has:
-- sqrt(sum of their squares / sum of all squares). p_text is read as websearch_to_tsquery does: "quoted" words must stand together,
-- words after a minus must be absent. A word that no chunk has stands for the most similar ones, at their similarity. In scripts
-- without blanks pairs of letters are words.
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
          and (p_filter is null or chunks.metadata @> p_filter) and chunks.document_id <> all (p_hidden)
        limit few * 2
      ) as candidates
    ) as best
    -- The first rank knows words with places only.
    order by best.share desc, ts_rank_cd(best.search, anything, 1) desc, ts_rank(best.search, anything, 1) desc, best.id
    limit p_limit;
end;
$$;

select private.studio_grant_calls('public.studio_knowledge_by_words(uuid, text, integer, jsonb, uuid[])', 'authenticated', 'service_role');

-- What stands for words where studio_unspaced_letters are written: all pairs of neighbouring letters, each with the marks above and
-- below it, and the last letter of each run by itself, so that every letter begins an entry.
create or replace function private.studio_letter_pairs(p_text text) returns text[]
language plpgsql immutable security invoker set search_path = ''
as $$
declare
  letters constant text := private.studio_unspaced_letters();
  -- A Khmer or Burmese letter may stand below another one.
  letter constant text := '[' || letters || '](?:[\u17d2\u1039][' || letters || ']|'
    || '[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u0f71-\u0f84\u0f90-\u0fbc\u102b-\u103e\u1056-\u1059'
    || '\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u17b4-\u17d1\u17d3])*';
  pair constant text := '(' || letter || letter || ')';
  composed text;
  runs text;
begin
  if octet_length(p_text) = char_length(p_text) then
    return '{}';
  end if;
  composed := normalize(p_text, nfkc);
  if composed !~ ('[' || letters || ']') then
    return '{}';
  end if;
  runs := regexp_replace(composed, '[^' || letters || ']+', ' ', 'g');
  return array(
    select distinct part from unnest(string_to_array(
      -- From the first letter of each run on, and from the second one.
      regexp_replace(runs, pair, '\1 ', 'g') || ' '
        || regexp_replace(regexp_replace(runs, '(^| )' || letter, '\1', 'g'), pair, '\1 ', 'g'),
      ' ')) as part
    where part <> ''
  );
end;
$$;

select private.studio_grant_calls('private.studio_letter_pairs(text)');

drop function public.studio_list_collections(text, uuid[], jsonb, integer);

-- Collections by name, or those with the given ids (null: all), with what they hold.
create or replace function public.studio_list_collections(p_search text, p_ids uuid[], p_after jsonb, p_limit integer)
returns table (
  id uuid, name text, description text, embedding_provider text, embedding_model text, embedding_credential text,
  dimension integer, chunk_size integer, chunk_overlap integer, language text, documents bigint, chunks bigint,
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
    collections.chunk_overlap, collections.language, held.documents, held.chunks, collections.created_at,
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

drop function public.studio_list_documents(uuid, text, jsonb, integer);

-- Documents of a collection, the latest first.
create or replace function public.studio_list_documents(p_collection_id uuid, p_search text, p_after jsonb, p_limit integer)
returns table (
  id uuid, collection_id uuid, name text, kind text, source text, content_hash text, size bigint, status text,
  error jsonb, chunks integer, tokens bigint, cost_usd double precision, language text,
  language_chosen boolean, created_at timestamptz, updated_at timestamptz, total bigint, place jsonb
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
    documents.language_chosen, documents.created_at, documents.updated_at,
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

-- Guesses a document's language when its text comes, unless a person chose one, and has its chunks indexed again after a change.
create or replace function private.studio_note_document_language() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_argv[0] = 'text' and not new.language_chosen then
    new.language := private.studio_document_language(new.collection_id, new.owner, new.sections);
  end if;
  if tg_op = 'UPDATE' and new.language is distinct from old.language then
    new.stale := true;
  end if;
  return new;
end;
$$;

select private.studio_grant_calls('private.studio_note_document_language()');

create or replace function private.studio_note_knowledge_words() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- In order, so that two ingests at once wait for each other instead of locking each other out.
  insert into public.studio_knowledge_words (owner, collection_id, word)
  select distinct added.owner, added.collection_id, words.lexeme
  from added
  cross join lateral unnest(
    to_tsvector('pg_catalog.simple', private.studio_search_words(added.heading || ' ' || added.content))
  ) as words
  where char_length(words.lexeme) between 4 and 40 and words.lexeme !~ '[0-9/.:@]'
  order by added.collection_id, words.lexeme
  on conflict do nothing;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_note_knowledge_words()');

-- What a run of unspaced letters is looked for by: its pairs; a single letter by all entries that begin with it.
create or replace function private.studio_pair_queries(p_run text) returns tsquery[]
language sql immutable security invoker set search_path = ''
as $$
  select case
    when cardinality(found.pairs) = 1 then array[(quote_literal(found.pairs[1]) || ':*')::tsquery]
    else array(
      select quote_literal(pair)::tsquery from unnest(found.pairs) as pair
      -- Not the last letter by itself.
      where pair <> (
        select ending from unnest(found.pairs) as ending where right(p_run, char_length(ending)) = ending
        order by char_length(ending) limit 1
      )
      order by position(pair in p_run)
    )
  end
  from (select private.studio_letter_pairs(p_run) as pairs) as found;
$$;

select private.studio_grant_calls('private.studio_pair_queries(text)');

-- What a question is looked for by, in a collection of documents in p_languages: at most 16 of its words, each with what it may have
-- become, without the stop words of the language that most of its words are stop words of, and 40 pairs of letters, whose `word`
-- is null. `importance` is that beside the other terms.
create or replace function private.studio_question_terms(p_languages text[], p_text text)
returns table (word text, term tsquery, importance double precision)
language plpgsql stable rows 10 security invoker set search_path = ''
as $$
declare
  words constant text := private.studio_search_words(p_text);
  unspaced constant text := '[' || private.studio_unspaced_letters() || ']+';
  own constant text[] := array(
    select counted.language from (
      select known.language, rank() over (order by count(*) desc) as place
      from unnest(array_remove(p_languages, 'simple') || array['english']) as known (language)
      cross join unnest(to_tsvector('pg_catalog.simple', words)) as said
      where ts_lexize(('pg_catalog.' || known.language || '_stem')::regdictionary, said.lexeme) = '{}'
      group by known.language
    ) as counted where counted.place = 1
  );
begin
  return query
    select said.word, private.studio_word_query(p_languages, said.word), 1::double precision
    from (
      select found.parts[1] as word, found.place
      from regexp_matches(querytree(websearch_to_tsquery('pg_catalog.simple', words)), '''((?:[^'']|'''')+)''', 'g')
        with ordinality as found (parts, place)
      limit 40
    ) as said
    where not exists (
      select from unnest(own) as known (language)
      where ts_lexize(('pg_catalog.' || known.language || '_stem')::regdictionary, said.word) = '{}'
    )
    order by said.place limit 16;
  return query
    -- Hiragana are mostly endings, and these are what Chinese and Korean questions are made of.
    select null, pairs.term,
      case when pairs.term::text ~ ('[\u3041-\u309f的了吗嗎呢么麼们們是]|怎样|怎樣|如何|为什|為什|哪里|哪些|多少|可以|请问|請問|有没|没有|沒有|这个|那个|這個|那個|一个|一個|需要|'
        || '습니|니다|니까|합니|입니|나요|가요|어요|세요|인가|어떻|떻게|무엇|에서|으로|있나|있습|하고|싶어')
        then 0.1 else 1 end::double precision
    from regexp_matches(
      regexp_replace(normalize(p_text, nfkc), '(^|\s)-"?' || unspaced, ' ', 'g'), unspaced, 'g'
    ) as found (runs)
    cross join lateral unnest(private.studio_pair_queries(found.runs[1])) as pairs (term)
    limit 40;
end;
$$;

select private.studio_grant_calls('private.studio_question_terms(text[], text)');

-- As studio_reindex_owner, for the caller's documents.
create or replace function public.studio_reindex_knowledge() returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  return caller is not null and private.studio_reindex_owner(caller);
end;
$$;

select private.studio_grant_calls('public.studio_reindex_knowledge()', 'authenticated', 'service_role');

-- Indexes a few chunks of an owner's document whose language changed or was never guessed. Gives whether something is left. So few at
-- once that others hardly wait on the embedded stack.
create or replace function private.studio_reindex_owner(p_owner uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  at_once constant integer := 25;
  document public.studio_knowledge_documents%rowtype;
  changed integer;
begin
  select * into document from public.studio_knowledge_documents as documents
  where documents.owner = p_owner and documents.stale
  order by documents.id limit 1 for update skip locked;
  if not found then
    return false;
  end if;
  if document.language is null then
    document.language := private.studio_document_language(document.collection_id, p_owner, document.sections);
    update public.studio_knowledge_documents as documents set language = document.language where documents.id = document.id;
  end if;
  update public.studio_knowledge_chunks as chunks set language = document.language
  where chunks.id in (
    select outdated.id from public.studio_knowledge_chunks as outdated
    where outdated.document_id = document.id and outdated.language is distinct from document.language limit at_once
  );
  get diagnostics changed = row_count;
  if changed = at_once then
    return true;
  end if;
  update public.studio_knowledge_documents as documents set stale = false where documents.id = document.id;
  return exists (
    select from public.studio_knowledge_documents as documents where documents.owner = p_owner and documents.stale
  );
end;
$$;

select private.studio_grant_calls('private.studio_reindex_owner(uuid)', 'studio_worker');

-- What a chunk must fulfil for a question: words after a minus are absent in every form, "quoted" ones stand together in one of
-- them. Null where the question demands nothing.
create or replace function private.studio_required_words(p_languages text[], p_text text) returns tsquery
language plpgsql stable security invoker set search_path = ''
as $$
declare
  words constant text := private.studio_search_words(p_text);
  unspaced constant text := '[' || private.studio_unspaced_letters() || ']+';
  quotes constant boolean := position('"' in p_text) > 0 and position(' or ' in lower(p_text)) = 0;
  language text;
  parsed tsquery;
  phrase tsquery;
  phrases tsquery[] := '{}';
  run text;
  required tsquery;
begin
  foreach language in array p_languages || '{simple}' loop
    parsed := websearch_to_tsquery(('pg_catalog.' || language)::regconfig, words);
    -- The last is also compared without accents.
    select string_agg(found.parts[1], ' & ')::tsquery into phrase
    from regexp_matches(
      parsed::text || case language
        when 'simple' then ' ' || websearch_to_tsquery('pg_catalog.simple', public.studio_fold(words))::text else '' end,
      '(!''(?:[^'']|'''')+''|!\([^)]*\))', 'g'
    ) as found (parts);
    required := coalesce(required && phrase, phrase, required);
    select string_agg(found.parts[1], ' & ')::tsquery into phrase
    from regexp_matches(
      querytree(parsed), '(''(?:[^'']|'''')+''(?: <(?:-|\d+)> ''(?:[^'']|'''')+'')+)', 'g'
    ) as found (parts)
    where quotes;
    phrases := phrases || phrase;
  end loop;
  -- Where one language leaves a single word of the phrase, nothing has to stand together.
  if array_position(phrases, null) is null then
    foreach phrase in array phrases[2:] loop
      phrases[1] := phrases[1] || phrase;
    end loop;
    required := coalesce(required && phrases[1], phrases[1]);
  end if;
  for run in
    select found.runs[1]
    from regexp_matches(normalize(p_text, nfkc), '(?:^|\s)-"?(' || unspaced || ')', 'g') as found (runs)
  loop
    phrase := !! array_to_string(private.studio_pair_queries(run), ' & ')::tsquery;
    required := coalesce(required && phrase, phrase);
  end loop;
  for run in
    select inside.runs[1] from regexp_matches(normalize(p_text, nfkc), '(?:^|[^-])"([^"]*)"', 'g') as quoted (parts)
    cross join lateral regexp_matches(quoted.parts[1], '(' || unspaced || ')', 'g') as inside (runs)
    where quotes
  loop
    phrase := array_to_string(private.studio_pair_queries(run), ' & ')::tsquery;
    required := coalesce(required && phrase, phrase);
  end loop;
  return required;
end;
$$;

select private.studio_grant_calls('private.studio_required_words(text[], text)');

-- What a chunk is found by: its words by the stemmer of their language, as they are written (in small letters, without accents),
-- and the pairs of studio_letter_pairs. Only the stems have places and weights.
create or replace function private.studio_search_vector(p_language text, p_heading text, p_content text) returns tsvector
language plpgsql stable security invoker set search_path = ''
as $$
declare
  stemmer constant regconfig := 'pg_catalog.' || p_language;
  heading constant text := private.studio_search_words(p_heading);
  content constant text := private.studio_search_words(p_content);
begin
  return setweight(to_tsvector(stemmer, heading), 'A') || to_tsvector(stemmer, content)
    || strip(to_tsvector('pg_catalog.simple', public.studio_fold(heading || ' ' || content)))
    || array_to_tsvector(private.studio_letter_pairs(p_heading || ' ' || p_content));
end;
$$;

select private.studio_grant_calls('private.studio_search_vector(text, text, text)');

-- A text as its words are compared: one form for each letter (NFKC), without soft hyphens, joiners, and the points and lengthening
-- that Hebrew and Arabic may be written with, and without the Arabic article, which is written as one with its word; what
-- studio_letter_pairs reads is left out.
create or replace function private.studio_search_words(p_text text) returns text
language sql immutable security invoker set search_path = ''
as $$
  select case
    when octet_length(p_text) = char_length(p_text) then p_text
    else regexp_replace(
      regexp_replace(
        regexp_replace(
          normalize(p_text, nfkc),
          '[\u00ad\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u200c-\u200f\u2060\ufeff]',
          '', 'g'),
        '(^|[^\u0620-\u06d3])[\u0648\u0641\u0628\u0643]?\u0627\u0644(?=[\u0620-\u06d3]{3})', '\1', 'g'),
      '[\u200b' || private.studio_unspaced_letters() || ']+', ' ', 'g')
  end;
$$;

select private.studio_grant_calls('private.studio_search_words(text)');

-- Letters of scripts that put no blanks between words (Thai, Lao, Tibetan, Burmese, Khmer, Kana, Han), and of Korean, which puts
-- particles behind its words, as they stand within the brackets of a regular expression.
create or replace function private.studio_unspaced_letters() returns text
language sql immutable security invoker set search_path = ''
as $$
  select '\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ebd\u0ec0-\u0ecd\u0edc-\u0edf\u0f40-\u0fbc\u1000-\u103f\u1050-\u108f\u1780-\u17d3'
    || '\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff';
$$;

select private.studio_grant_calls('private.studio_unspaced_letters()');

-- What a word may have become in documents in p_languages: its stems, and itself.
create or replace function private.studio_word_query(p_languages text[], p_word text) returns tsquery
language plpgsql stable security invoker set search_path = ''
as $$
declare
  written constant tsquery := plainto_tsquery('pg_catalog.simple', public.studio_fold(p_word));
  found tsquery := written;
  stemmed tsquery;
  language text;
begin
  foreach language in array p_languages loop
    stemmed := phraseto_tsquery(('pg_catalog.' || language)::regconfig, p_word);
    if numnode(stemmed) > 0 and stemmed <> written then
      found := found || stemmed;
    end if;
  end loop;
  return found;
end;
$$;

select private.studio_grant_calls('private.studio_word_query(text[], text)');

create trigger studio_knowledge_chunks_words after insert on public.studio_knowledge_chunks
  referencing new table as added for each statement execute function private.studio_note_knowledge_words();
create trigger studio_knowledge_chunks_index before insert or update of language, heading, content
  on public.studio_knowledge_chunks for each row execute function private.studio_index_knowledge_chunk();
create trigger studio_knowledge_documents_guess before insert or update of sections on public.studio_knowledge_documents
  for each row execute function private.studio_note_document_language('text');
create trigger studio_knowledge_documents_language before update of language on public.studio_knowledge_documents
  for each row execute function private.studio_note_document_language('language');
create trigger studio_knowledge_collections_language after update of language on public.studio_knowledge_collections
  for each row when (old.language is distinct from new.language)
  execute function private.studio_change_collection_language();

-- Indexing changes nothing that a person sees.
drop trigger studio_knowledge_documents_touch on public.studio_knowledge_documents;
create trigger studio_knowledge_documents_touch before update on public.studio_knowledge_documents
  for each row when (old.language is not distinct from new.language and old.stale = new.stale)
  execute function public.studio_touch_updated_at();

reset check_function_bodies;
