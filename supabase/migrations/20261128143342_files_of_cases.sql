-- Subject: files
set check_function_bodies = off;

-- Which case of a suite holds which file, in its input or its recording: it stays as long as the case.
create table private.studio_case_files (
  case_id uuid not null references public.studio_cases (id) on delete cascade,
  file uuid not null,
  owner uuid not null references auth.users (id) on delete cascade,
  primary key (case_id, file),
  foreign key (file, owner) references public.studio_files (id, owner) on delete cascade
);

create index studio_case_files_of_owner on private.studio_case_files (owner);
create index studio_case_files_of_file on private.studio_case_files (file, owner);

select private.studio_grant_rows('private.studio_case_files');

-- The worker that reads `upload`, which alone may act for the owner meanwhile.
alter table public.studio_knowledge_documents add column upload_worker text;

create index studio_knowledge_documents_uploads_of_worker on public.studio_knowledge_documents (upload_worker) where upload is not null;

drop function private.studio_claim_upload(uuid);

-- Which case of a suite holds which file, in its input or its recording. What an earlier state of the case named stays with it, since a
-- version of the suite may bring that back. Files of others are left out.
create or replace function private.studio_note_case_files() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.studio_case_files (case_id, file, owner)
  select distinct changed.id, files.id, changed.owner
  from changed
  cross join lateral jsonb_path_query(jsonb_build_array(changed.body, changed.cassette), '$.**."$file"') as named (id)
  join public.studio_files as files on files.owner = changed.owner and files.id = case
    when named.id #>> '{}' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (named.id #>> '{}')::uuid end
  where position('"$file"' in changed.body::text) > 0 or position('"$file"' in changed.cassette::text) > 0
  on conflict do nothing;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_note_case_files()');

-- Deletes the owner's files that no run, no remembered message and no test case holds and that are to become no document, once a day has
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
    limit 500);
$$;

select private.studio_grant_calls('private.studio_prune_files(uuid)');

-- Takes the file of an owner that has waited longest to become a document, and begins its ingest: { document, collection, name, source,
-- upload, mediaType, ingest, sha256, untrusted, metadata }; null where none waits. Until its ingest ends, this worker alone acts for the owner; it
-- comes due again after a while, or once the worker is known to be gone.
create or replace function private.studio_claim_upload(p_worker text, p_owner uuid) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  claimed public.studio_knowledge_documents%rowtype;
begin
  perform private.studio_limit_waiting();
  update public.studio_knowledge_documents as due set
    upload_due = now() + interval '15 minutes', upload_worker = p_worker, ingest = gen_random_uuid()
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

select private.studio_grant_calls('private.studio_claim_upload(text, uuid)', 'studio_worker');

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
      metadata = public.studio_merge_metadata(documents.metadata, p_metadata), upload = p_file, upload_due = now(), upload_worker = null,
      file_sha256 = file.sha256,
      status = 'pending', error = null, ingest = gen_random_uuid()
    where documents.id = known.id;
  end if;
  return jsonb_build_object('id', known.id, 'status', 'pending', 'unchanged', false);
end;
$$;

select private.studio_grant_calls('public.studio_upload_knowledge_document(uuid, uuid, text, text, uuid, jsonb, jsonb)', 'service_role');

-- Lets other workers have at once what a worker held that is known to be gone: runs, documents that it read, and
-- sources that it reloaded. Gives how many runs there were.
create or replace function private.studio_drop_worker(p_worker text) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  dropped integer;
begin
  update public.studio_runs as runs set lease_until = now() - interval '1 millisecond'
  where runs.worker = p_worker and runs.status = 'running' and runs.source <> 'editor';
  get diagnostics dropped = row_count;
  update public.studio_knowledge_documents as documents set upload_due = now(), upload_worker = null
  where documents.upload_worker = p_worker and documents.upload is not null;
  update public.studio_knowledge_sources as sources set due_at = now(), turn = null, worker = null where sources.worker = p_worker;
  delete from private.studio_workers as workers where workers.id = p_worker;
  if dropped > 0 then
    perform private.studio_wake_workers();
  end if;
  return dropped;
end;
$$;

select private.studio_grant_calls('private.studio_drop_worker(text)', 'studio_worker');

create trigger studio_note_case_files after insert on public.studio_cases
referencing new table as changed for each statement execute function private.studio_note_case_files();

create trigger studio_note_changed_case_files after update on public.studio_cases
referencing new table as changed for each statement execute function private.studio_note_case_files();

-- Gives back a document that could not be read because something did not answer: it comes due again soon.
create or replace function private.studio_leave_upload(p_worker text, p_owner uuid, p_document uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_limit_waiting();
  update public.studio_knowledge_documents as documents set upload_due = now() + interval '10 seconds', upload_worker = null
  where documents.id = p_document and documents.owner = p_owner and documents.upload_worker = p_worker and documents.upload is not null;
end;
$$;

select private.studio_grant_calls('private.studio_leave_upload(text, uuid, uuid)', 'studio_worker');
