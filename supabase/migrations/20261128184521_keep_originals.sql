-- Subject: knowledge
set check_function_bodies = off;

-- The file that a document was read from, to show its pages: it stays as long as the document.
alter table public.studio_knowledge_documents add column original uuid;
alter table public.studio_knowledge_documents add foreign key (original, owner) references public.studio_files (id, owner)
  on delete set null (original);
create index studio_knowledge_documents_original on public.studio_knowledge_documents (original, owner);

select private.studio_grant_rows('public.studio_knowledge_documents', 'select, insert, delete', 'name, kind, source, content_hash, size, sections, status, error, chunks, tokens, cost_usd, language, language_chosen, deleted_at, ingest, untrusted, upload, file_sha256, metadata, original');

-- Deletes the owner's files that no run, no remembered message and no test case holds and that no document is made of, once a day has
-- passed in which one could have begun with them.
create or replace function private.studio_prune_files(p_owner uuid) returns void
language sql security definer set search_path = ''
as $$
  delete from public.studio_files as files where files.id in (
    select old.id from public.studio_files as old
    where old.owner = p_owner and old.created_at < now() - interval '1 day'
      and not exists (select from private.studio_file_uses as uses where uses.file = old.id)
      and not exists (select from private.studio_message_files as kept where kept.file = old.id)
      and not exists (select from private.studio_case_files as kept where kept.file = old.id)
      and not exists (select from public.studio_knowledge_documents as documents where documents.upload = old.id)
      and not exists (select from public.studio_knowledge_documents as documents where documents.original = old.id)
    limit 500);
$$;

select private.studio_grant_calls('private.studio_prune_files(uuid)');

-- Stores what was read of a document, as pending, and begins its ingest: over the document of this name, whose chunks stay until they are
-- arranged, or as a new one, of the id p_id where that is given. p_document: { name, kind, source, hash, size, sections, untrusted, upload, sha256, original, metadata }.
-- `upload`: the file that it was read from, which is still to be that of this document. `original`: the file to show, kept as long as the document. Errors, by message:
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
      original = (p_document ->> 'original')::uuid,
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
      (id, collection_id, name, kind, source, content_hash, size, sections, untrusted, original, metadata, ingest)
    values (
      coalesce(p_id, gen_random_uuid()), p_collection_id, p_document ->> 'name', p_document ->> 'kind', p_document ->> 'source',
      p_document ->> 'hash', (p_document ->> 'size')::bigint, p_document -> 'sections',
      coalesce(p_document -> 'untrusted', '[]'::jsonb), (p_document ->> 'original')::uuid,
      public.studio_merge_metadata('{}'::jsonb, p_document -> 'metadata'), gen_random_uuid()
    )
    returning documents.id, documents.ingest;
end;
$$;

select private.studio_grant_calls('public.studio_put_knowledge_document(uuid, uuid, jsonb)', 'authenticated', 'service_role');
