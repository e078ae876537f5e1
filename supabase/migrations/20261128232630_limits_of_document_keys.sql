-- Subject: doors
set check_function_bodies = off;

-- Bytes of documents that a key sent on a day.
alter table private.studio_key_spending add column bytes bigint not null default 0;

-- The API key that sent the file which a document is made of.
alter table public.studio_api_keys add unique (id, owner);
alter table public.studio_knowledge_documents add column upload_key uuid;
alter table public.studio_knowledge_documents add foreign key (upload_key, owner) references public.studio_api_keys (id, owner)
  on delete set null (upload_key);
create index studio_knowledge_documents_upload_key on public.studio_knowledge_documents (upload_key, owner);
alter policy studio_knowledge_documents_insert on public.studio_knowledge_documents
  with check (owner = (select auth.uid()) and upload_key is null);

drop function public.studio_upload_knowledge_document(uuid, uuid, text, text, uuid, jsonb, jsonb);

-- Stores why a chore could not be done for an owner, sets it aside for him, longer with each failure in a row, and tells him once.
create or replace function private.studio_note_chore(p_chore text, p_owner uuid, p_code text, p_message text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  reason constant text := private.studio_reason(p_code, p_message);
  noted private.studio_chore_problems%rowtype;
  before bigint;
  later timestamptz;
begin
  perform set_config('lock_timeout', '1s', true);
  if not exists (select from auth.users as users where users.id = p_owner) then
    return;
  end if;
  select coalesce(sum(problems.failures), 0) into before from private.studio_chore_problems as problems
  where problems.owner = p_owner and (problems.chore = p_chore or (problems.too_long and p_code = '57014'));
  later := now() + least(
    case when p_code = '57014' then interval '1 minute' else interval '15 seconds' end * (2 ^ least(before, 10)),
    interval '15 minutes');
  insert into private.studio_chore_problems as problems (owner, chore, problem, next_at, too_long)
  values (p_owner, p_chore, reason, later, p_code is not distinct from '57014')
  on conflict (owner, chore) do update set
    problem = excluded.problem, failures = problems.failures + 1, last_at = now(), next_at = later,
    too_long = excluded.too_long
  returning * into noted;
  if noted.failures > 1 or exists (select from private.studio_deletions as deletions where deletions.owner = p_owner) then
    return;
  end if;
  perform private.studio_tell_owner(
    p_owner, 'chore ' || p_chore || ' ' || extract(epoch from noted.since)::bigint,
    jsonb_build_object('kind', 'chore-failed', 'chore', p_chore, 'message', reason));
exception when others then
  raise warning 'A problem was not noted: %', sqlerrm;
end;
$$;

select private.studio_grant_calls('private.studio_note_chore(text, uuid, text, text)', 'studio_worker');

-- Tells whoever an owner's publications tell of failures, each once for each p_key.
create or replace function private.studio_tell_owner(p_owner uuid, p_key text, p_what jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  told record;
begin
  for told in
    select distinct on (own.on_failure) own.workflow_id from public.studio_publications as own
    where own.owner = p_owner and own.on_failure is not null
    order by own.on_failure, own.workflow_id
  loop
    perform private.studio_tell_failure(told.workflow_id, p_key, p_what);
  end loop;
end;
$$;

select private.studio_grant_calls('private.studio_tell_owner(uuid, text, jsonb)');

-- What the spending caps of a key leave, in US dollars, calls under way counted; null where it has none, or there is no key.
create or replace function private.studio_key_left(p_key_id uuid) returns numeric
language sql stable security definer set search_path = ''
as $$
  select greatest(0, least(
      (keys.limits ->> 'dayUsd')::numeric - spent.of_day, (keys.limits ->> 'monthUsd')::numeric - spent.of_month) - booked.usd)
  from public.studio_api_keys as keys
  cross join lateral (
    select coalesce(sum(spending.usd) filter (where spending.day = (now() at time zone 'utc')::date), 0) as of_day,
      coalesce(sum(spending.usd), 0) as of_month
    from private.studio_key_spending as spending
    where spending.key_id = keys.id and spending.day >= date_trunc('month', now() at time zone 'utc')::date
  ) as spent
  cross join lateral (
    select coalesce(sum(calls.usd), 0) as usd from private.studio_booked_calls as calls where calls.api_key_id = keys.id
  ) as booked
  where keys.id = p_key_id and keys.limits ?| array['dayUsd', 'monthUsd'];
$$;

select private.studio_grant_calls('private.studio_key_left(uuid)');

-- Whether an API key may send p_bytes of a document, which count among what it sends in a day (UTC) unless p_counts is false: null, or
-- { problem: 'spent', retryAfter } once one of its spending caps is reached, or { problem: 'share', sender, unit, retryAfter } beyond half of
-- what its owner may store. The owner is told when four fifths of that are sent.
create or replace function public.studio_take_key_upload(p_key_id uuid, p_bytes bigint, p_counts boolean default true) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  tomorrow constant timestamp := today + 1;
  next_month constant timestamp := date_trunc('month', today::timestamp) + interval '1 month';
  share constant bigint := (select quotas.most / 2 from private.studio_quotas as quotas where quotas.kind = 'bytes');
  cap constant text := private.studio_key_cap(p_key_id, 0);
  sent bigint;
  sender record;
begin
  if cap is not null then
    return jsonb_build_object('problem', 'spent', 'retryAfter', ceil(extract(epoch from
      (case when cap = 'keyDay' then tomorrow else next_month end) at time zone 'utc' - now())));
  end if;
  if p_counts then
    insert into private.studio_key_spending as used (key_id, day) values (p_key_id, today)
    on conflict (key_id, day) do update set bytes = used.bytes;
  end if;
  select coalesce(max(used.bytes), 0) + p_bytes into sent
  from private.studio_key_spending as used where used.key_id = p_key_id and used.day = today;
  if sent > share then
    return jsonb_build_object('problem', 'share', 'sender', 'key', 'unit', 'bytes',
      'retryAfter', ceil(extract(epoch from tomorrow at time zone 'utc' - now())));
  end if;
  if not p_counts then
    return null;
  end if;
  update private.studio_key_spending as used set bytes = sent where used.key_id = p_key_id and used.day = today;
  if sent >= 0.8 * share and sent - p_bytes < 0.8 * share then
    select keys.owner, keys.name into sender from public.studio_api_keys as keys where keys.id = p_key_id;
    perform private.studio_tell_owner(sender.owner, 'documents ' || p_key_id || ' ' || today, jsonb_build_object(
      'kind', 'share-near', 'sender', 'key', 'bytes', sent, 'of', share,
      'message', format('The API key “%s” has sent four fifths of the documents that one key may send today.', sender.name)));
  end if;
  return null;
end;
$$;

select private.studio_grant_calls('public.studio_take_key_upload(uuid, bigint, boolean)', 'service_role');

-- Notes that bytes could not be deleted from storage: they come due again in ten minutes, after all others.
create or replace function public.studio_postpone_blob(p_folder uuid, p_blob uuid) returns void
language sql security definer set search_path = ''
as $$
  update private.studio_dead_blobs as dead set due_at = now() + interval '10 minutes'
  where dead.folder = p_folder and dead.blob = p_blob and dead.due_at <= now();
$$;

select private.studio_grant_calls('public.studio_postpone_blob(uuid, uuid)', 'service_role');

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

-- What a document costs while it is made of a file that came by an API key, the key has spent; also where it was deleted meanwhile. What its
-- owner may write of the document changes nothing of that.
create or replace function public.studio_count_upload_cost(p_document_id uuid, p_usd double precision) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  insert into private.studio_key_spending as spending (key_id, day, usd)
  select documents.upload_key, (now() at time zone 'utc')::date, p_usd::numeric
  from public.studio_knowledge_documents as documents
  where documents.id = p_document_id and documents.owner = caller and documents.upload_key is not null
    and (documents.upload is not null or documents.deleted_at is not null) and p_usd > 0
  on conflict (key_id, day) do update set usd = spending.usd + excluded.usd;
end;
$$;

select private.studio_grant_calls('public.studio_count_upload_cost(uuid, double precision)', 'authenticated', 'service_role');

-- Closes an ingest: counts what is stored, adds what it cost (null: not known). Where another ingest has begun than p_ingest, only the cost
-- is added: how the document is, the other one says.
create or replace function public.studio_finish_knowledge_document(
  p_document_id uuid, p_status text, p_error jsonb, p_cost_usd double precision, p_ingest uuid default null
) returns void
language sql security invoker set search_path = ''
as $$
  select public.studio_count_upload_cost(p_document_id, p_cost_usd);
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
