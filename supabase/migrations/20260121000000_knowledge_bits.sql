-- Search by meaning in large collections: one bit for each number of a vector, its sign, says well enough which few
-- hundred chunks are worth comparing in full. They stand in a narrow table of their own, so that reading those of a whole
-- collection reads neither texts nor vectors. Every chunk is compared, so none is missed because of when it was stored,
-- as happened in a graph index (HNSW), and storing a chunk no longer pays for one.

create table public.studio_knowledge_bits (
  chunk_id uuid not null,
  owner uuid not null,
  collection_id uuid not null,
  document_id uuid not null,
  bits bit varying not null
);

-- As they are: compressing signs gains nothing, and long ones would be moved out of line.
alter table public.studio_knowledge_bits alter column bits set storage plain;

-- Before there are keys to check row by row.
insert into public.studio_knowledge_bits (chunk_id, owner, collection_id, document_id, bits)
select chunks.id, chunks.owner, chunks.collection_id, chunks.document_id, extensions.binary_quantize(chunks.embedding)
from public.studio_knowledge_chunks as chunks where chunks.embedding is not null;

alter table public.studio_knowledge_bits add primary key (chunk_id);
alter table public.studio_knowledge_bits add foreign key (chunk_id)
  references public.studio_knowledge_chunks (id) on delete cascade;
create index studio_knowledge_bits_of_collection on public.studio_knowledge_bits (collection_id);

alter table public.studio_knowledge_bits enable row level security;
revoke all on table public.studio_knowledge_bits from public, anon, authenticated;
-- Written by the triggers alone.
grant select on table public.studio_knowledge_bits to authenticated;
grant all on table public.studio_knowledge_bits to service_role;

create policy studio_knowledge_bits_select on public.studio_knowledge_bits
  for select to authenticated using (owner = (select auth.uid()));

create function private.studio_note_knowledge_bits() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.studio_knowledge_bits (chunk_id, owner, collection_id, document_id, bits)
  select added.id, added.owner, added.collection_id, added.document_id, extensions.binary_quantize(added.embedding)
  from added where added.embedding is not null;
  return null;
end;
$$;

-- A trigger with a table of all changed rows cannot be for one column, and most changes of chunks are of their places.
create function private.studio_change_knowledge_bits() returns trigger
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

revoke all on function private.studio_note_knowledge_bits() from public, anon, authenticated, service_role;
revoke all on function private.studio_change_knowledge_bits() from public, anon, authenticated, service_role;

create trigger studio_knowledge_chunks_bits after insert on public.studio_knowledge_chunks
  referencing new table as added for each statement execute function private.studio_note_knowledge_bits();
create trigger studio_knowledge_chunks_changed_bits after update of embedding on public.studio_knowledge_chunks
  for each row execute function private.studio_change_knowledge_bits();

select private.studio_count_table('public.studio_knowledge_bits', 'words', 'octet_length(item.bits)');

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

drop index if exists public.studio_knowledge_chunks_vector_256;
drop index if exists public.studio_knowledge_chunks_vector_384;
drop index if exists public.studio_knowledge_chunks_vector_768;
drop index if exists public.studio_knowledge_chunks_vector_1024;
drop index if exists public.studio_knowledge_chunks_vector_1536;
drop index if exists public.studio_knowledge_chunks_vector_3072;
drop function public.studio_knowledge_vector_type(integer);
