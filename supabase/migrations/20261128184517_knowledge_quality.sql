-- Subject: knowledge
set check_function_bodies = off;

-- How steps and tools search that follow the collection; null: hybrid, or keyword without embeddings.
alter table public.studio_knowledge_collections add column search_mode text check (search_mode in ('hybrid', 'semantic', 'keyword'));

select private.studio_grant_rows('public.studio_knowledge_collections', 'select, insert, delete', 'name, description, embedding_provider, embedding_model, embedding_credential, dimension, chunk_size, chunk_overlap, language, search_mode, deleted_at');

-- Questions with the passages that a search has to find: [{ document, quote }]. They name words, not chunks, since chunking may change.
create table public.studio_knowledge_questions (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null default auth.uid(),
  collection_id uuid not null,
  question text not null check (char_length(question) between 1 and 2000),
  passages jsonb not null check (jsonb_typeof(passages) = 'array' and jsonb_array_length(passages) between 1 and 20
    and octet_length(passages::text) <= 262144),
  created_at timestamptz not null default now(),
  foreign key (collection_id, owner) references public.studio_knowledge_collections (id, owner) on delete cascade
);

create index studio_knowledge_questions_of_owner on public.studio_knowledge_questions (owner);
create index studio_knowledge_questions_of_collection on public.studio_knowledge_questions (collection_id, owner, created_at);

select private.studio_grant_rows('public.studio_knowledge_questions', 'select, insert, delete', 'question, passages');

-- What searches found of the right passages, and what the collection was like then.
create table public.studio_knowledge_measurements (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null default auth.uid(),
  collection_id uuid not null,
  result jsonb not null check (jsonb_typeof(result) = 'object' and octet_length(result::text) <= 1048576),
  created_at timestamptz not null default now(),
  foreign key (collection_id, owner) references public.studio_knowledge_collections (id, owner) on delete cascade
);

create index studio_knowledge_measurements_of_owner on public.studio_knowledge_measurements (owner);
create index studio_knowledge_measurements_of_collection
  on public.studio_knowledge_measurements (collection_id, owner, created_at desc);

select private.studio_grant_rows('public.studio_knowledge_measurements', 'select, insert, delete');

select private.studio_count_table('public.studio_knowledge_questions', 'rows',
  'octet_length(item.question) + octet_length(item.passages::text)'),
  private.studio_count_table('public.studio_knowledge_measurements', 'rows', 'octet_length(item.result::text)');

drop function public.studio_list_collections(text, uuid[], jsonb, integer);

-- Collections by name, or those with the given ids (null: all), with what they hold.
create or replace function public.studio_list_collections(p_search text, p_ids uuid[], p_after jsonb, p_limit integer)
returns table (
  id uuid, name text, description text, embedding_provider text, embedding_model text, embedding_credential text,
  dimension integer, chunk_size integer, chunk_overlap integer, language text, search_mode text, documents bigint, chunks bigint,
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
    collections.chunk_overlap, collections.language, collections.search_mode, held.documents, held.chunks, collections.created_at,
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
