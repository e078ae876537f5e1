-- Takes a file that is to become a document of an owner's collection, or to replace the one of its name, once a worker has read it:
-- { id, status, unchanged }. Null where the owner has no such collection. The same file again under the same name is not read again.
-- p_metadata is added to what the document has. p_key: the API key that sent it, which pays for it: also
-- { problem, … } as studio_take_key_upload has it. Errors, by message: knowledge_metadata_limit.
create or replace function public.studio_upload_knowledge_document(
  p_owner uuid, p_collection_id uuid, p_name text, p_source text, p_file uuid, p_untrusted jsonb,
  p_metadata jsonb default null, p_key uuid default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  file public.studio_files%rowtype;
  known public.studio_knowledge_documents%rowtype;
  problem jsonb;
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
  if p_key is not null then
    -- A file that the key sent before, and that failed, has had its bytes counted.
    problem := public.studio_take_key_upload(p_key,
      case when known.file_sha256 = file.sha256 and known.upload_key = p_key then 0 else file.size end);
    if problem is not null then
      return problem;
    end if;
  end if;
  if known.id is null then
    insert into public.studio_knowledge_documents as documents
      (owner, collection_id, name, kind, source, content_hash, size, untrusted, upload_metadata, metadata, upload, upload_due, upload_key, file_sha256, ingest)
    values (p_owner, p_collection_id, p_name, 'text', p_source, file.sha256, file.size, p_untrusted, p_metadata,
      public.studio_merge_metadata('{}'::jsonb, p_metadata), p_file, now(), p_key, file.sha256,
      gen_random_uuid())
    returning documents.* into known;
  else
    update public.studio_knowledge_documents as documents
    set source = p_source, untrusted = p_untrusted, upload_metadata = p_metadata,
      metadata = public.studio_merge_metadata(documents.metadata, p_metadata), upload = p_file, upload_due = now(), upload_worker = null, upload_key = p_key,
      file_sha256 = file.sha256,
      status = 'pending', error = null, ingest = gen_random_uuid()
    where documents.id = known.id;
  end if;
  return jsonb_build_object('id', known.id, 'status', 'pending', 'unchanged', false);
end;
$$;

select private.studio_grant_calls('public.studio_upload_knowledge_document(uuid, uuid, text, text, uuid, jsonb, jsonb, uuid)', 'service_role');
