-- Subject: knowledge
set check_function_bodies = off;

-- A file that is to become this document: a worker reads it from upload_due on.
alter table public.studio_knowledge_documents add column upload uuid;
alter table public.studio_knowledge_documents add column upload_due timestamptz;
-- Of the file that it was read from, as hex; null where it came another way.
alter table public.studio_knowledge_documents add column file_sha256 text check (file_sha256 ~ '^[0-9a-f]{64}$');
alter table public.studio_knowledge_documents add foreign key (upload, owner) references public.studio_files (id, owner)
  on delete set null (upload);
create index studio_knowledge_documents_upload on public.studio_knowledge_documents (upload, owner);
create index studio_knowledge_documents_uploads_due on public.studio_knowledge_documents (owner, upload_due) where upload is not null;

select private.studio_grant_rows('public.studio_knowledge_documents', 'select, insert, delete', 'name, kind, source, content_hash, size, sections, status, error, chunks, tokens, cost_usd, language, language_chosen, deleted_at, ingest, untrusted, upload, file_sha256');

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
    select jobs.owner from private.studio_run_jobs as jobs where p_chore = 'claims'
    union
    select checks.owner from private.studio_queue_checks as checks where p_chore = 'claims' and checks.at <= now()
    union
    select runs.owner from public.studio_runs as runs where p_chore = 'queue' and runs.status = 'queued'
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
    select documents.owner from public.studio_knowledge_documents as documents
    where p_chore = 'uploads' and documents.upload is not null and documents.upload_due <= now() and documents.deleted_at is null
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

-- Deletes the owner's files that no run holds and that are to become no document, once a day has passed in which one could have begun with them.
create or replace function private.studio_prune_files(p_owner uuid) returns void
language sql security definer set search_path = ''
as $$
  delete from public.studio_files as files where files.id in (
    select old.id from public.studio_files as old
    where old.owner = p_owner and old.created_at < now() - interval '1 day'
      and not exists (select from private.studio_file_uses as uses where uses.file = old.id)
      and not exists (select from public.studio_knowledge_documents as documents where documents.upload = old.id)
    limit 500);
$$;

select private.studio_grant_calls('private.studio_prune_files(uuid)');

-- Begins another ingest of a stored document, and gives what was read of it. What an earlier ingest still sends is refused from then on.
-- Errors, by message: knowledge_document_missing, knowledge_document_waits (a worker is to read a file for it).
create or replace function public.studio_begin_knowledge_ingest(p_document_id uuid)
returns table (ingest uuid, sections jsonb, untrusted jsonb)
language plpgsql security invoker set search_path = ''
as $$
#variable_conflict use_column
begin
  perform public.studio_hold_knowledge_ingest(p_document_id, null);
  return query
    update public.studio_knowledge_documents as documents set ingest = gen_random_uuid()
    where documents.id = p_document_id and documents.upload is null
    returning documents.ingest, documents.sections, documents.untrusted;
  if not found then
    raise exception 'knowledge_document_waits' using errcode = 'PT409';
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_begin_knowledge_ingest(uuid)', 'authenticated', 'service_role');

-- Takes the file of an owner that has waited longest to become a document, and begins its ingest: { document, collection, name, source,
-- upload, mediaType, ingest, sha256, untrusted }; null where none waits. It comes due again after a while, unless its ingest ends.
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
    'ingest', claimed.ingest, 'sha256', claimed.file_sha256, 'untrusted', claimed.untrusted);
end;
$$;

select private.studio_grant_calls('private.studio_claim_upload(uuid)', 'studio_worker');

-- Closes an ingest: counts what is stored, adds what it cost (null: not known). Where another ingest has begun than p_ingest, only the cost
-- is added: how the document is, the other one says.
create or replace function public.studio_finish_knowledge_document(
  p_document_id uuid, p_status text, p_error jsonb, p_cost_usd double precision, p_ingest uuid default null
) returns void
language sql security invoker set search_path = ''
as $$
  update public.studio_knowledge_documents as documents
  set cost_usd = documents.cost_usd + p_cost_usd,
    status = case when coalesce(p_ingest = documents.ingest, true) then p_status else documents.status end,
    error = case when coalesce(p_ingest = documents.ingest, true) then p_error else documents.error end,
    upload = case when p_ingest = documents.ingest and p_status <> 'pending' then null else documents.upload end,
    chunks = counted.chunks, tokens = counted.tokens
  from (
    select count(*) as chunks, coalesce(sum(stored.tokens), 0) as tokens
    from public.studio_knowledge_chunks as stored where stored.document_id = p_document_id
  ) as counted
  where documents.id = p_document_id;
$$;

select private.studio_grant_calls('public.studio_finish_knowledge_document(uuid, text, jsonb, double precision, uuid)', 'authenticated', 'service_role');

drop function public.studio_list_documents(uuid, text, jsonb, integer);

-- Documents of a collection, the latest first.
create or replace function public.studio_list_documents(p_collection_id uuid, p_search text, p_after jsonb, p_limit integer)
returns table (
  id uuid, collection_id uuid, name text, kind text, source text, content_hash text, size bigint, status text,
  error jsonb, chunks integer, tokens bigint, cost_usd double precision, language text,
  language_chosen boolean, upload uuid, created_at timestamptz, updated_at timestamptz, total bigint, place jsonb
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
    documents.language_chosen, documents.upload, documents.created_at, documents.updated_at,
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

-- Stores what was read of a document, as pending, and begins its ingest: over the document of this name, whose chunks stay until they are
-- arranged, or as a new one, of the id p_id where that is given. p_document: { name, kind, source, hash, size, sections, untrusted, upload, sha256 }.
-- `upload`: the file that it was read from, which is still to be that of this document. Errors, by message:
-- knowledge_collection_missing, knowledge_document_replaced.
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
      upload = (p_document ->> 'upload')::uuid, file_sha256 = p_document ->> 'sha256'
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
      (id, collection_id, name, kind, source, content_hash, size, sections, untrusted, ingest)
    values (
      coalesce(p_id, gen_random_uuid()), p_collection_id, p_document ->> 'name', p_document ->> 'kind', p_document ->> 'source',
      p_document ->> 'hash', (p_document ->> 'size')::bigint, p_document -> 'sections',
      coalesce(p_document -> 'untrusted', '[]'::jsonb), gen_random_uuid()
    )
    returning documents.id, documents.ingest;
end;
$$;

select private.studio_grant_calls('public.studio_put_knowledge_document(uuid, uuid, jsonb)', 'authenticated', 'service_role');

-- Documents of an owner's collection by name, those after p_after: [{ name, status, size, chunks, sha256, source, error, updatedAt }],
-- or the one that is called p_name. Null where the owner has no such collection.
create or replace function public.studio_read_documents(
  p_owner uuid, p_collection_id uuid, p_name text, p_after text, p_limit integer
) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce((
    select jsonb_agg(jsonb_build_object('name', found.name, 'status', found.status, 'size', found.size, 'chunks', found.chunks,
      'sha256', found.file_sha256, 'source', found.source, 'error', found.error, 'updatedAt', found.updated_at) order by found.name collate "C")
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

-- Deletes the documents of a name from an owner's collection, as its page does: how many. Null where the owner has no such collection.
create or replace function public.studio_remove_documents(p_owner uuid, p_collection_id uuid, p_name text) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  removed integer;
begin
  if not exists (
    select from public.studio_knowledge_collections as collections
    where collections.id = p_collection_id and collections.owner = p_owner and collections.deleted_at is null
  ) then
    return null;
  end if;
  update public.studio_knowledge_documents as documents set deleted_at = now(), upload = null
  where documents.collection_id = p_collection_id and documents.owner = p_owner and documents.name = p_name
    and documents.deleted_at is null;
  get diagnostics removed = row_count;
  return removed;
end;
$$;

select private.studio_grant_calls('public.studio_remove_documents(uuid, uuid, text)', 'service_role');

-- Takes a file that is to become a document of an owner's collection, or to replace the one of its name, once a worker has read it:
-- { id, status, unchanged }. Null where the owner has no such collection. The same file again under the same name changes nothing.
create or replace function public.studio_upload_knowledge_document(
  p_owner uuid, p_collection_id uuid, p_name text, p_source text, p_file uuid, p_untrusted jsonb
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
  if known.id is not null and known.file_sha256 = file.sha256 and known.source = p_source
    and (known.status = 'ready' or known.upload is not null) then
    return jsonb_build_object('id', known.id, 'status', known.status, 'unchanged', true);
  end if;
  if known.id is null then
    insert into public.studio_knowledge_documents as documents
      (owner, collection_id, name, kind, source, content_hash, size, untrusted, upload, upload_due, file_sha256, ingest)
    values (p_owner, p_collection_id, p_name, 'text', p_source, file.sha256, file.size, p_untrusted, p_file, now(), file.sha256,
      gen_random_uuid())
    returning documents.* into known;
  else
    update public.studio_knowledge_documents as documents
    set source = p_source, untrusted = p_untrusted, upload = p_file, upload_due = now(), file_sha256 = file.sha256,
      status = 'pending', error = null, ingest = gen_random_uuid()
    where documents.id = known.id;
  end if;
  return jsonb_build_object('id', known.id, 'status', 'pending', 'unchanged', false);
end;
$$;

select private.studio_grant_calls('public.studio_upload_knowledge_document(uuid, uuid, text, text, uuid, jsonb)', 'service_role');
