-- Takes the file of an owner that has waited longest to become a document, and begins its ingest: { document, collection, name, source,
-- upload, mediaType, ingest, sha256, untrusted, metadata, leftUsd }; null where none waits. Until its ingest ends, this worker alone acts for
-- the owner; it comes due again after a while, or once the worker is known to be gone. leftUsd: what the spending caps of the API key that sent
-- it leave, null for no cap; files of a key with a cap are read one after the other, so that each has all of it.
create or replace function private.studio_claim_upload(p_worker text, p_owner uuid) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  claimed public.studio_knowledge_documents%rowtype;
begin
  perform private.studio_limit_waiting();
  -- Two that claim at once see what the other one has taken.
  perform pg_advisory_xact_lock(hashtextextended('uploads ' || p_owner::text, 0));
  update public.studio_knowledge_documents as due set
    upload_due = now() + interval '15 minutes', upload_worker = p_worker, ingest = gen_random_uuid()
  where due.id = (
    select first.id from public.studio_knowledge_documents as first
    where first.owner = p_owner and first.upload is not null and first.upload_due <= now() and first.deleted_at is null
      and not exists (
        select from public.studio_knowledge_documents as others
        join public.studio_api_keys as keys on keys.id = others.upload_key and keys.owner = others.owner
        where others.owner = p_owner and others.upload_key = first.upload_key and others.upload_worker is not null
          and others.upload is not null and others.upload_due > now() and keys.limits ?| array['dayUsd', 'monthUsd'])
    order by first.upload_due, first.id limit 1 for update skip locked
  )
  returning due.* into claimed;
  if claimed.id is null then
    return null;
  end if;
  return jsonb_build_object('document', claimed.id, 'collection', claimed.collection_id, 'name', claimed.name, 'source', claimed.source,
    'upload', claimed.upload, 'mediaType', (select files.media_type from public.studio_files as files where files.id = claimed.upload),
    'ingest', claimed.ingest, 'sha256', claimed.file_sha256, 'untrusted', claimed.untrusted,
    'metadata', claimed.upload_metadata, 'leftUsd', private.studio_key_left(claimed.upload_key));
end;
$$;

select private.studio_grant_calls('private.studio_claim_upload(text, uuid)', 'studio_worker');
