-- Subject: rights
set check_function_bodies = off;

-- Gives the caller's webhook a new secret. With p_keep_previous, what was signed with the old one is taken too, until the name
-- "previous" is deleted by studio_save_door. Raises "door_not_found".
create or replace function public.studio_renew_hook_secret(p_workflow_id uuid, p_secret text, p_keep_previous boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  kept jsonb;
begin
  if p_secret is null or char_length(p_secret) not between 8 and 4000 then
    raise exception 'bad_secret' using errcode = '22023';
  end if;
  perform 1 from public.studio_doors as own
  where own.workflow_id = p_workflow_id and own.kind = 'hook' and own.owner = caller for update;
  if not found then
    raise exception 'door_not_found' using errcode = 'PT404';
  end if;
  insert into private.studio_door_secrets as stored (workflow_id, kind, secrets, current_since)
  values (p_workflow_id, 'hook', jsonb_build_object('current', p_secret), now())
  on conflict (workflow_id, kind) do update set
    current_since = now(), previous_since = stored.current_since,
    secrets = (stored.secrets - 'previous')
      || case when p_keep_previous and stored.secrets ? 'current'
        then jsonb_build_object('previous', stored.secrets -> 'current') else '{}'::jsonb end
      || excluded.secrets
  returning stored.secrets into kept;
  update public.studio_doors as doors set
    secrets = (select coalesce(jsonb_agg(name order by name), '[]') from jsonb_object_keys(kept) as name),
    updated_at = now()
  where doors.workflow_id = p_workflow_id and doors.kind = 'hook' and doors.owner = caller;
end;
$$;

select private.studio_grant_calls('public.studio_renew_hook_secret(uuid, text, boolean)', 'authenticated', 'service_role');

-- Starts a run for a door, within what the key may spend: { id, status, isNew }, or { problem, retryAfter? } with nothing
-- started. Problems: 'not_published', 'rate_limit' (starts of the publication in a minute), 'busy' (as many as may wait or run
-- do), 'spent' (the cap of a day or a month is reached), 'key_reused' (the idempotency key belongs to another input).
-- p_input: { value }.
create or replace function public.studio_door_start(
  p_workflow_id uuid, p_target text, p_input jsonb, p_source text, p_key text default null, p_trigger_id uuid default null,
  p_api_key_id uuid default null, p_subject text default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  tomorrow constant integer := ceil(extract(epoch from (today + 1)::timestamp at time zone 'utc' - now()));
  publication public.studio_publications%rowtype;
  key_limits jsonb;
  known record;
  taken jsonb;
  started jsonb;
  of_day numeric;
  of_month numeric;
begin
  -- Starts of one workflow come one after the other, so that no limit is passed by two at once.
  perform pg_advisory_xact_lock(hashtextextended('start ' || p_workflow_id::text, 0));
  select * into publication from public.studio_publications as found where found.workflow_id = p_workflow_id;
  if not found then
    return jsonb_build_object('problem', 'not_published');
  end if;
  if p_key is not null then
    select runs.id, runs.status, runs.input -> 'value' as input into known from public.studio_runs as runs
    where runs.workflow_id = p_workflow_id and runs.idempotency_key = p_key;
    if found and known.input is distinct from p_input -> 'value' then
      return jsonb_build_object('problem', 'key_reused');
    end if;
    if found then
      return jsonb_build_object('id', known.id, 'status', known.status, 'isNew', false);
    end if;
  end if;
  if (
    select count(*) from public.studio_runs as waiting
    where waiting.status = 'queued' and waiting.workflow_id = p_workflow_id and waiting.attempt = 0
  ) >= greatest(20, coalesce(ceil((publication.limits ->> 'concurrent')::numeric)::integer, 20) * 5) then
    return jsonb_build_object('problem', 'busy', 'retryAfter', 5);
  end if;
  select keys.limits into key_limits from public.studio_api_keys as keys where keys.id = p_api_key_id;
  if key_limits -> 'concurrent' is not null then
    perform pg_advisory_xact_lock(hashtextextended('start ' || p_api_key_id::text, 0));
    if (
      select count(*) from public.studio_runs as open
      where open.api_key_id = p_api_key_id and open.status in ('queued', 'running')
    ) >= (key_limits ->> 'concurrent')::numeric then
      return jsonb_build_object('problem', 'busy', 'retryAfter', 2);
    end if;
  end if;
  if publication.limits ?| array['dayUsd', 'monthUsd'] then
    select coalesce(sum(spending.usd) filter (where spending.day = today), 0), coalesce(sum(spending.usd), 0)
    into of_day, of_month
    from private.studio_spending as spending
    where spending.workflow_id = p_workflow_id and spending.day >= date_trunc('month', today)::date;
    if of_day >= (publication.limits ->> 'dayUsd')::numeric or of_month >= (publication.limits ->> 'monthUsd')::numeric then
      return jsonb_build_object('problem', 'spent', 'retryAfter', tomorrow);
    end if;
  end if;
  if private.studio_key_cap(p_api_key_id, 0) is not null then
    return jsonb_build_object('problem', 'spent', 'retryAfter', tomorrow);
  end if;
  if publication.limits -> 'perMinute' is not null then
    taken := public.studio_take_door_limit(
      'starts of ' || p_workflow_id, greatest(1, ceil((publication.limits ->> 'perMinute')::numeric)::integer));
    if (taken ->> 'wait')::integer > 0 then
      return jsonb_build_object('problem', 'rate_limit', 'retryAfter', taken -> 'wait');
    end if;
  end if;
  begin
    started := private.studio_queue_run(
      p_workflow_id, p_target, p_input -> 'value', p_source, p_key, p_trigger_id, null);
  exception when sqlstate 'PT404' then
    return jsonb_build_object('problem', 'not_published');
  end;
  update public.studio_runs as runs set api_key_id = p_api_key_id, subject = p_subject
  where runs.id = (started ->> 'id')::uuid and (started ->> 'created')::boolean;
  return jsonb_build_object('id', started -> 'id', 'status', started -> 'status', 'isNew', started -> 'created');
end;
$$;

select private.studio_grant_calls('public.studio_door_start(uuid, text, jsonb, text, text, uuid, uuid, text)', 'service_role');

-- Makes a key of the caller and gives { id, key }: the only time that the key is seen.
create or replace function public.studio_make_api_key(
  p_name text, p_scopes jsonb, p_limits jsonb, p_expires_at timestamptz default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  -- 32 bytes out of 366 random bits.
  secret constant text := 'sy_' || translate(
    encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'base64'),
    '+/=', '-_');
  made uuid;
begin
  if caller is null then
    raise exception 'not_signed_in' using errcode = '42501';
  end if;
  if (select count(*) from public.studio_api_keys as own where own.owner = caller and own.revoked_at is null) >= 200 then
    raise exception 'too_many_keys' using errcode = 'PT400';
  end if;
  insert into public.studio_api_keys (owner, name, prefix, scopes, limits, expires_at)
  values (caller, p_name, left(secret, 9), p_scopes, coalesce(p_limits, '{}'::jsonb), p_expires_at)
  returning id into made;
  insert into private.studio_api_key_hashes (hash, key_id)
  values (encode(sha256(convert_to(secret, 'UTF8')), 'hex'), made);
  return jsonb_build_object('id', made, 'key', secret);
end;
$$;

select private.studio_grant_calls('public.studio_make_api_key(text, jsonb, jsonb, timestamp with time zone)', 'authenticated', 'service_role');

-- Ends a key of the caller at once and for ever. What it started stays.
create or replace function public.studio_revoke_api_key(p_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  update public.studio_api_keys as own set revoked_at = coalesce(own.revoked_at, now())
  where own.id = p_id and own.owner = caller;
  if not found then
    raise exception 'key_not_found' using errcode = 'PT404';
  end if;
  delete from private.studio_api_key_hashes as hashes where hashes.key_id = p_id;
end;
$$;

select private.studio_grant_calls('public.studio_revoke_api_key(uuid)', 'authenticated', 'service_role');

-- Stores a door of the caller's publication. p_secrets: { name: value }, null for a value that is to be deleted; secrets that
-- are not named stay. Raises "not_published".
create or replace function public.studio_save_door(
  p_workflow_id uuid, p_kind text, p_enabled boolean, p_config jsonb, p_secrets jsonb default null
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  kept jsonb;
begin
  perform 1 from public.studio_publications as own
  where own.workflow_id = p_workflow_id and own.owner = caller for update;
  if not found then
    raise exception 'not_published' using errcode = 'PT404';
  end if;
  insert into public.studio_doors as doors (workflow_id, owner, kind, enabled, config)
  values (p_workflow_id, caller, p_kind, p_enabled, coalesce(p_config, '{}'::jsonb))
  on conflict (workflow_id, kind) do update set
    enabled = excluded.enabled, config = excluded.config, updated_at = now();
  if p_secrets is null then
    return;
  end if;
  insert into private.studio_door_secrets as stored (workflow_id, kind, secrets)
  values (p_workflow_id, p_kind, jsonb_strip_nulls(p_secrets))
  on conflict (workflow_id, kind) do update set secrets = jsonb_strip_nulls(stored.secrets || p_secrets)
  returning stored.secrets into kept;
  update public.studio_doors as doors set
    secrets = (select coalesce(jsonb_agg(name order by name), '[]') from jsonb_object_keys(kept) as name)
  where doors.workflow_id = p_workflow_id and doors.kind = p_kind and doors.owner = caller;
end;
$$;

select private.studio_grant_calls('public.studio_save_door(uuid, text, boolean, jsonb, jsonb)', 'authenticated', 'service_role');

-- Begins an evaluation and says what it measures. p_suite_revision is the suite's as it was read. Raises "suite_not_found",
-- "suite_changed" where somebody changed the suite since, and "suite_too_large".
create or replace function public.studio_begin_evaluation(
  p_suite_id uuid, p_digest text, p_suite_revision integer, p_workflow_revision integer, p_published_version integer
) returns jsonb
language plpgsql security invoker set search_path = ''
as $$
declare
  number integer := public.studio_keep_suite_version(p_suite_id);
  made public.studio_evaluations%rowtype;
begin
  if not exists (
    select 1 from public.studio_suites as suites where suites.id = p_suite_id and suites.revision = p_suite_revision
  ) then
    raise exception 'suite_changed' using errcode = 'PT409';
  end if;
  if number is null then
    raise exception 'suite_too_large' using errcode = 'PT413';
  end if;
  insert into public.studio_evaluations
    (owner, suite_id, digest, suite_version, workflow_revision, published_version)
  select suites.owner, p_suite_id, p_digest, number, p_workflow_revision, p_published_version
  from public.studio_suites as suites where suites.id = p_suite_id
  returning * into made;
  return to_jsonb(made);
end;
$$;

select private.studio_grant_calls('public.studio_begin_evaluation(uuid, text, integer, integer, integer)', 'authenticated', 'service_role');

-- Keeps a suite as a version, unless one has this state, and gives its number; null where its cases are too large for that. Of versions
-- that no published workflow names, the last hundred stay, and p_spare. Raises "suite_not_found".
create or replace function public.studio_keep_suite_version(p_suite_id uuid, p_spare integer default null) returns integer
language plpgsql security invoker set search_path = ''
as $$
declare
  suite public.studio_suites%rowtype;
  kept jsonb;
  number integer;
begin
  -- Locked, so that two who keep it at once make one version.
  select * into suite from public.studio_suites as suites where suites.id = p_suite_id for update;
  if not found then
    raise exception 'suite_not_found' using errcode = 'PT404';
  end if;
  select versions.version into number from public.studio_suite_versions as versions
  where versions.suite_id = p_suite_id and versions.revision = suite.revision;
  if found then
    return number;
  end if;
  select coalesce(
    jsonb_agg(
      jsonb_build_object('id', cases.id, 'name', cases.name, 'body', cases.body) order by cases.created_at, cases.name
    ), '[]'::jsonb
  ) into kept
  from public.studio_cases as cases
  where cases.suite_id = p_suite_id and cases.owner = suite.owner and cases.removed_at is null;
  if octet_length(kept::text) > 20971520 then
    return null;
  end if;
  select coalesce(max(versions.version), 0) + 1 into number from public.studio_suite_versions as versions
  where versions.suite_id = p_suite_id;
  insert into public.studio_suite_versions (suite_id, owner, version, revision, name, settings, cases)
  values (p_suite_id, suite.owner, number, suite.revision, suite.name, suite.settings, kept);
  delete from public.studio_suite_versions as versions
  where versions.suite_id = p_suite_id and versions.version <= number - 100 and versions.version is distinct from p_spare
    and not exists (
      select 1 from public.studio_published as published
      where published.workflow_id = suite.workflow_id
        and published.suites @> jsonb_build_array(jsonb_build_object('id', p_suite_id, 'version', versions.version))
    );
  return number;
end;
$$;

select private.studio_grant_calls('public.studio_keep_suite_version(uuid, integer)', 'authenticated', 'service_role');

-- Puts a suite back as it was in a version, recordings included, and keeps how it stood before as a version, whose number it gives.
-- Raises "suite_not_found" and "suite_version_not_found".
create or replace function public.studio_restore_suite_version(p_suite_id uuid, p_version integer) returns integer
language plpgsql security invoker set search_path = ''
as $$
declare
  wanted public.studio_suite_versions%rowtype;
  before integer;
begin
  before := public.studio_keep_suite_version(p_suite_id, p_version);
  select * into wanted from public.studio_suite_versions as versions
  where versions.suite_id = p_suite_id and versions.version = p_version;
  if not found then
    raise exception 'suite_version_not_found' using errcode = 'PT404';
  end if;
  update public.studio_suites as suites set name = wanted.name, settings = wanted.settings where suites.id = p_suite_id;
  -- All of them first: two cases may have swapped their names.
  update public.studio_cases as cases set removed_at = now()
  where cases.suite_id = p_suite_id and cases.removed_at is null;
  insert into public.studio_cases as cases (id, owner, suite_id, name, body)
  select (one ->> 'id')::uuid, wanted.owner, p_suite_id, one ->> 'name', one -> 'body'
  from jsonb_array_elements(wanted.cases) as one
  on conflict (id) do update set name = excluded.name, body = excluded.body, removed_at = null;
  return before;
end;
$$;

select private.studio_grant_calls('public.studio_restore_suite_version(uuid, integer)', 'authenticated', 'service_role');

-- What a collection knows about a question, best first. p_mode: semantic, keyword or hybrid; p_embedding: the question's
-- vector as text such as "[0.1,0.2]", or null, which makes hybrid keyword. All scores lie between 0 and 1, see the two
-- functions above; score is the better half's, and p_min_score compares it. Hybrid orders by reciprocal rank fusion.
-- Errors, by message: knowledge_collection_missing, knowledge_vector_missing (semantic without one),
-- knowledge_vector_length <expected> <got>.
create or replace function public.studio_search_knowledge(
  p_collection_id uuid, p_text text, p_embedding text, p_mode text, p_limit integer, p_min_score double precision,
  p_filter jsonb
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
  where documents.collection_id = p_collection_id and documents.deleted_at is not null;

  return query
    with by_meaning as (
      select near.id, near.score, row_number() over (order by near.score desc, near.id) as place
      from public.studio_knowledge_by_meaning(p_collection_id, wanted, depth, p_filter, hidden) as near
      where wanted is not null
    ), by_words as (
      select same.id, same.score, same.place
      from public.studio_knowledge_by_words(p_collection_id, p_text, depth, p_filter, hidden)
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
      chunks.metadata, fused.score, fused.by_meaning, fused.by_words
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

select private.studio_grant_calls('public.studio_search_knowledge(uuid, text, text, text, integer, double precision, jsonb)', 'authenticated', 'service_role');

-- Who makes a collection's vectors from now on; p_provider null: nobody. Vectors of another model are of no use, so a
-- change of provider or model drops them and makes the documents pending.
create or replace function public.studio_set_knowledge_embedding(
  p_collection_id uuid, p_provider text, p_model text, p_credential text
) returns void
language plpgsql security invoker set search_path = ''
as $$
declare
  same boolean;
begin
  select collections.embedding_provider is not distinct from p_provider
    and collections.embedding_model is not distinct from p_model into same
  from public.studio_knowledge_collections as collections where collections.id = p_collection_id for update;
  if not found then
    raise exception 'knowledge_collection_missing' using errcode = 'PT404';
  end if;
  update public.studio_knowledge_collections as collections
  set embedding_provider = p_provider, embedding_model = p_model, embedding_credential = coalesce(p_credential, ''),
    dimension = case when same then collections.dimension end
  where collections.id = p_collection_id;
  if same then
    return;
  end if;
  update public.studio_knowledge_chunks as chunks set embedding = null
  where chunks.collection_id = p_collection_id and chunks.embedding is not null;
  if p_provider is not null then
    update public.studio_knowledge_documents as documents set status = 'pending', error = null
    where documents.collection_id = p_collection_id;
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_set_knowledge_embedding(uuid, text, text, text)', 'authenticated', 'service_role');

-- Adds chunks to a document, or vectors to chunks that are there: all or none. p_model: "provider/model" of the vectors,
-- null when there are none. p_chunks: [{ id?, position, heading, content, hash, tokens, metadata, embedding }]; one with
-- an id only gets its vector. Errors, by message: knowledge_document_missing, knowledge_model_changed,
-- knowledge_vector_length <expected> <got>.
create or replace function public.studio_store_knowledge_chunks(p_document_id uuid, p_model text, p_chunks jsonb) returns void
language plpgsql security invoker set search_path = ''
as $$
declare
  collection public.studio_knowledge_collections%rowtype;
  target uuid;
  lengths integer[];
begin
  select documents.collection_id into target from public.studio_knowledge_documents as documents
  where documents.id = p_document_id and documents.deleted_at is null;
  if target is null then
    raise exception 'knowledge_document_missing' using errcode = 'PT404';
  end if;
  if p_model is not null then
    -- Locked, so that the first vectors of two documents agree on a length.
    select * into collection from public.studio_knowledge_collections as collections
    where collections.id = target for update;
    if p_model is distinct from collection.embedding_provider || '/' || collection.embedding_model then
      raise exception 'knowledge_model_changed' using errcode = 'PT409';
    end if;
    select array_agg(distinct extensions.vector_dims((given.value ->> 'embedding')::extensions.vector)) into lengths
    from jsonb_array_elements(p_chunks) as given where given.value ->> 'embedding' is not null;
    if collection.dimension is null and array_length(lengths, 1) = 1 then
      update public.studio_knowledge_collections as collections set dimension = lengths[1]
      where collections.id = target;
    elsif exists (select from unnest(lengths) as one where one <> coalesce(collection.dimension, lengths[1])) then
      raise exception 'knowledge_vector_length % %', coalesce(collection.dimension, lengths[1]),
        (select one from unnest(lengths) as one where one <> coalesce(collection.dimension, lengths[1]) limit 1) using errcode = 'PT400';
    end if;
  end if;
  update public.studio_knowledge_chunks as chunks set embedding = given.embedding::extensions.vector
  from jsonb_to_recordset(p_chunks) as given (id uuid, embedding text)
  where given.id is not null and chunks.id = given.id and chunks.document_id = p_document_id;
  insert into public.studio_knowledge_chunks (
    collection_id, document_id, "position", heading, content, content_hash, tokens, metadata, embedding
  )
  select target, p_document_id, given.position, given.heading, given.content, given.hash, given.tokens, given.metadata,
    given.embedding::extensions.vector
  from jsonb_to_recordset(p_chunks) as given (
    id uuid, "position" integer, heading text, content text, hash text, tokens integer, metadata jsonb, embedding text
  )
  where given.id is null;
end;
$$;

select private.studio_grant_calls('public.studio_store_knowledge_chunks(uuid, text, jsonb)', 'authenticated', 'service_role');

-- Asks for the end of the caller's run; gives its status. One that no worker has touched ends here and now.
create or replace function public.studio_cancel_run(p_run_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  run public.studio_runs%rowtype;
begin
  select * into run from public.studio_runs as found
  where found.id = p_run_id and found.owner = caller and found.source <> 'editor' for update;
  if not found then
    raise exception 'run_not_found' using errcode = 'PT404';
  end if;
  if run.status not in ('queued', 'running', 'waiting') then
    return run.status;
  end if;
  update public.studio_runs as own set
    cancel_requested_at = coalesce(own.cancel_requested_at, now()),
    status = case
      when own.status = 'queued' and own.attempt = 0 then 'cancelled'
      -- A worker writes the end of what has begun.
      when own.status = 'waiting' then 'queued'
      else own.status end,
    queued_at = case when own.status = 'waiting' then now() else own.queued_at end,
    ended_at = case when own.status = 'queued' and own.attempt = 0 then now() end
  where own.id = p_run_id
  returning own.status into run.status;
  perform private.studio_wake_workers();
  return run.status;
end;
$$;

select private.studio_grant_calls('public.studio_cancel_run(uuid)', 'authenticated', 'service_role');

-- Decides what the caller's run waits for. Gives 'decided', or why not: 'decided-elsewhere', 'expired' or 'over'.
create or replace function public.studio_decide_wait(p_run_id uuid, p_call_id text, p_decision jsonb) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  wait public.studio_run_waits%rowtype;
  run public.studio_runs%rowtype;
begin
  select * into run from public.studio_runs as found
  where found.id = p_run_id and found.owner = caller for update;
  if run.status not in ('queued', 'running', 'waiting') or run.cancel_requested_at is not null then
    return 'over';
  end if;
  select * into wait from public.studio_run_waits as found
  where found.run_id = p_run_id and found.call_id = p_call_id and found.owner = caller
    and found.kind <> 'time' for update;
  if not found then
    raise exception 'wait_not_found' using errcode = 'PT404';
  end if;
  if wait.decision is not null then
    return case when wait.decision ? 'expired' then 'expired' else 'decided-elsewhere' end;
  end if;
  if wait.expires_at <= now() then
    return 'expired';
  end if;
  update public.studio_run_waits as own set decision = p_decision - 'expired', decided_at = now()
  where own.run_id = p_run_id and own.call_id = p_call_id;
  update public.studio_runs as own set status = 'queued', queued_at = now()
  where own.id = p_run_id and own.status = 'waiting';
  perform private.studio_wake_workers();
  return 'decided';
end;
$$;

select private.studio_grant_calls('public.studio_decide_wait(uuid, text, jsonb)', 'authenticated', 'service_role');

-- From now on a version of the caller tells callers from its owner. Raises "version_not_found".
create or replace function public.studio_mark_callers(p_workflow_id uuid, p_version integer) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  update public.studio_published as own set marks_callers = true
  where own.workflow_id = p_workflow_id and own.version = p_version and own.owner = caller;
  if not found then
    raise exception 'version_not_found' using errcode = 'PT404';
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_mark_callers(uuid, integer)', 'authenticated', 'service_role');

-- Lets `live` or `staging` point to a version that there is; null points nowhere. Raises "version_not_found".
create or replace function public.studio_point(p_workflow_id uuid, p_target text, p_version integer) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  if p_target not in ('live', 'staging') then
    raise exception 'unknown_target' using errcode = '22023';
  end if;
  if p_version is not null and not exists (
    select 1 from public.studio_published as version
    where version.workflow_id = p_workflow_id and version.version = p_version and version.owner = caller
  ) then
    raise exception 'version_not_found' using errcode = 'PT404';
  end if;
  update public.studio_publications as own set
    live = case when p_target = 'live' then p_version else own.live end,
    staging = case when p_target = 'staging' then p_version else own.staging end,
    updated_at = now()
  where own.workflow_id = p_workflow_id and own.owner = caller;
  if not found then
    raise exception 'version_not_found' using errcode = 'PT404';
  end if;
  if p_target = 'live' then
    perform private.studio_follow_live(p_workflow_id);
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_point(uuid, text, integer)', 'authenticated', 'service_role');

-- How the caller's publication has been doing since a moment, by hour or day of a time zone: { name, slug, live, buckets: [{ at, runs, failed,
-- cancelled, costUsd, unpriced, visitors, durations, up, down }], errors: [{ code, runs }], tools: [{ name, calls, failed }],
-- visitors }. Buckets without a run or a rating are left out. Raises "not_published".
create or replace function public.studio_publication_activity(
  p_workflow_id uuid, p_from timestamptz, p_bucket text, p_time_zone text
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  publication record;
  since constant timestamptz := greatest(p_from, now() - interval '40 days');
begin
  select own.slug, own.live, workflows.name into publication
  from public.studio_publications as own
  join public.studio_workflows as workflows on workflows.id = own.workflow_id
  where own.workflow_id = p_workflow_id and own.owner = caller;
  if not found then
    raise exception 'not_published' using errcode = 'PT404';
  end if;
  if p_bucket not in ('hour', 'day') then
    raise exception 'unknown_bucket' using errcode = '22023';
  end if;
  return (
    with hours as materialized (
      select activity.*, date_trunc(p_bucket, activity.hour at time zone p_time_zone) at time zone p_time_zone as bucket
      from private.studio_activity as activity
      where activity.workflow_id = p_workflow_id
        and activity.hour >= date_trunc('hour', since at time zone 'utc') at time zone 'utc'
    ), ran as (
      select hours.bucket, jsonb_build_object(
        'runs', sum(hours.runs), 'failed', sum(hours.failed), 'cancelled', sum(hours.cancelled),
        'costUsd', sum(hours.cost_usd), 'unpriced', sum(hours.unpriced),
        'visitors', case when p_bucket = 'hour' then sum(hours.visitors) else sum(hours.day_visitors) end) as counts
      from hours group by hours.bucket
    ), took as (
      select parts.bucket, jsonb_object_agg(parts.key, parts.total) as durations
      from (
        select hours.bucket, each_one.key, sum(each_one.value::integer) as total
        from hours, jsonb_each_text(hours.durations) as each_one group by 1, 2
      ) as parts
      group by parts.bucket
    ), rated as (
      select date_trunc(p_bucket, turns.rated_at at time zone p_time_zone) at time zone p_time_zone as bucket,
        jsonb_build_object(
          'up', count(*) filter (where turns.rating = 'up'), 'down', count(*) filter (where turns.rating = 'down')) as counts
      from public.studio_chat_turns as turns
      where turns.owner = caller and turns.rating is not null and turns.rated_at >= since and p_workflow_id = (
        select threads.workflow_id from public.studio_chat_threads as threads
        where threads.id = turns.thread_id and threads.owner = caller
      )
      group by 1
    ), failures as (
      select each_one.key as code, sum(each_one.value::integer) as runs
      from hours, jsonb_each_text(hours.errors) as each_one group by 1
    ), refused as (
      select each_one.key as name, sum(each_one.value::integer) as calls
      from hours, jsonb_each_text(hours.tool_failures) as each_one group by 1
    ), called as (
      select each_one.key as name, sum(each_one.value::integer) as calls
      from hours, jsonb_each_text(hours.tools) as each_one group by 1 order by 2 desc, 1 limit 50
    )
    select jsonb_build_object(
      'name', publication.name, 'slug', publication.slug, 'live', publication.live,
      'buckets', (
        select coalesce(jsonb_agg(
          jsonb_build_object('at', round(extract(epoch from all_of.bucket) * 1000))
            || coalesce(ran.counts, '{}'::jsonb) || jsonb_build_object('durations', coalesce(took.durations, '{}'::jsonb))
            || coalesce(rated.counts, '{}'::jsonb)
          order by all_of.bucket), '[]'::jsonb)
        from (select ran.bucket from ran union select rated.bucket from rated) as all_of
        left join ran on ran.bucket = all_of.bucket
        left join took on took.bucket = all_of.bucket
        left join rated on rated.bucket = all_of.bucket
      ),
      'errors', (
        select coalesce(jsonb_agg(jsonb_build_object('code', failures.code, 'runs', failures.runs)
          order by failures.runs desc, failures.code), '[]'::jsonb)
        from failures
      ),
      'tools', (
        select coalesce(jsonb_agg(
          jsonb_build_object('name', called.name, 'calls', called.calls, 'failed', coalesce(refused.calls, 0))
          order by called.calls desc, called.name), '[]'::jsonb)
        from called left join refused on refused.name = called.name
      ),
      'visitors', (
        select count(*) from private.studio_visitors as seen
        where seen.workflow_id = p_workflow_id and seen.seen_at >= since
      )
    )
  );
end;
$$;

select private.studio_grant_calls('public.studio_publication_activity(uuid, timestamp with time zone, text, text)', 'authenticated', 'service_role');

-- Publishes a document of the caller and gives { version, slug, unchanged }. The document that was published last becomes no
-- new version (`unchanged`). p_target is 'live', 'staging' or 'none'. Raises "workflow_not_found" and, where p_slug belongs to
-- another workflow, "slug_taken".
create or replace function public.studio_publish(
  p_workflow_id uuid, p_document jsonb, p_workflows jsonb, p_hash text, p_schedules jsonb, p_slug text, p_note text,
  p_revision integer, p_target text
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  publication public.studio_publications%rowtype;
  latest public.studio_published%rowtype;
  number integer;
begin
  perform 1 from public.studio_workflows as workflows
  where workflows.id = p_workflow_id and workflows.owner = caller and workflows.deleted_at is null
  for update;
  if not found then
    raise exception 'workflow_not_found' using errcode = 'PT404';
  end if;
  if p_target not in ('live', 'staging', 'none') then
    raise exception 'unknown_target' using errcode = '22023';
  end if;
  begin
    insert into public.studio_publications as own (workflow_id, owner, slug) values (p_workflow_id, caller, p_slug)
    on conflict (workflow_id) do update set slug = excluded.slug, updated_at = now()
    returning * into publication;
  exception when unique_violation then
    raise exception 'slug_taken' using errcode = '23505';
  end;
  select * into latest from public.studio_published as version
  where version.workflow_id = p_workflow_id and version.owner = caller order by version.version desc limit 1;
  if latest.hash = p_hash then
    number := latest.version;
  else
    number := coalesce(latest.version, 0) + 1;
    insert into public.studio_published
      (workflow_id, owner, version, document, workflows, hash, schedules, note, revision)
    values (
      p_workflow_id, caller, number, p_document, coalesce(p_workflows, '{}'::jsonb), p_hash,
      coalesce(p_schedules, '[]'::jsonb), coalesce(p_note, ''), p_revision
    );
  end if;
  if p_target <> 'none' then
    perform public.studio_point(p_workflow_id, p_target, number);
  end if;
  return jsonb_build_object('version', number, 'slug', publication.slug, 'unchanged', latest.hash is not distinct from p_hash);
end;
$$;

select private.studio_grant_calls('public.studio_publish(uuid, jsonb, jsonb, text, jsonb, text, text, integer, text)', 'authenticated', 'service_role');

-- Queues a run of the version that p_target ('live', 'staging', or a version's number) names, and gives { id, status, created }.
-- The same key of the same workflow gives the run that it started first. Raises "not_published".
create or replace function private.studio_queue_run(
  p_workflow_id uuid, p_target text, p_input jsonb, p_source text, p_key text, p_trigger_id uuid, p_forked_from jsonb
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  publication public.studio_publications%rowtype;
  wanted integer;
  known record;
  started uuid;
begin
  select * into publication from public.studio_publications as found where found.workflow_id = p_workflow_id;
  wanted := case
    when p_target = 'live' then publication.live
    when p_target = 'staging' then publication.staging
    when p_target ~ '^[0-9]{1,9}$' then p_target::integer
  end;
  if wanted is null or not exists (
    select 1 from public.studio_published as version
    where version.workflow_id = p_workflow_id and version.version = wanted
  ) then
    raise exception 'not_published' using errcode = 'PT404';
  end if;
  insert into public.studio_runs
    (owner, workflow_id, status, input, source, published_version, trigger_id, idempotency_key, forked_from, queued_at)
  values (
    publication.owner, p_workflow_id, 'queued', jsonb_build_object('value', coalesce(p_input, '{}'::jsonb)), p_source,
    wanted, p_trigger_id, p_key, p_forked_from, now()
  )
  on conflict (workflow_id, idempotency_key) where idempotency_key is not null do nothing
  returning id into started;
  if started is null then
    select runs.id, runs.status into known from public.studio_runs as runs
    where runs.workflow_id = p_workflow_id and runs.idempotency_key = p_key;
    return jsonb_build_object('id', known.id, 'status', known.status, 'created', false);
  end if;
  perform private.studio_wake_workers();
  return jsonb_build_object('id', started, 'status', 'queued', 'created', true);
end;
$$;

select private.studio_grant_calls('private.studio_queue_run(uuid, text, jsonb, text, text, uuid, jsonb)');

-- Names the collector of the caller's publication; null as its address removes it, and what waits. p_headers null keeps the headers,
-- unless the address changes: secrets for one server are not sent to another. Raises "not_published".
create or replace function public.studio_save_collector(p_workflow_id uuid, p_url text, p_headers jsonb, p_content boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  perform 1 from public.studio_publications as own where own.workflow_id = p_workflow_id and own.owner = caller;
  if not found then
    raise exception 'not_published' using errcode = 'PT404';
  end if;
  if p_url is null then
    delete from private.studio_collectors as stored where stored.workflow_id = p_workflow_id;
    return;
  end if;
  insert into private.studio_collectors as stored (workflow_id, url, headers, content)
  values (p_workflow_id, p_url, coalesce(p_headers, '{}'::jsonb), p_content)
  on conflict (workflow_id) do update set
    url = excluded.url, content = excluded.content, problem = null,
    headers = case when p_headers is null and stored.url = excluded.url then stored.headers else excluded.headers end;
end;
$$;

select private.studio_grant_calls('public.studio_save_collector(uuid, text, jsonb, boolean)', 'authenticated', 'service_role');

-- Stores the secret with which the caller's notices are signed; null deletes it. Raises "not_published".
create or replace function public.studio_set_failure_secret(p_workflow_id uuid, p_secret text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  perform 1 from public.studio_publications as own where own.workflow_id = p_workflow_id and own.owner = caller;
  if not found then
    raise exception 'not_published' using errcode = 'PT404';
  end if;
  if p_secret is null then
    delete from private.studio_failure_secrets as stored where stored.workflow_id = p_workflow_id;
    return;
  end if;
  insert into private.studio_failure_secrets as stored (workflow_id, secret) values (p_workflow_id, p_secret)
  on conflict (workflow_id) do update set secret = excluded.secret;
end;
$$;

select private.studio_grant_calls('public.studio_set_failure_secret(uuid, text)', 'authenticated', 'service_role');

-- Changes what a publication may take and who is told when it fails.
create or replace function public.studio_set_publication(p_workflow_id uuid, p_limits jsonb, p_on_failure jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  update public.studio_publications as own set
    limits = coalesce(p_limits, '{}'::jsonb), on_failure = p_on_failure, updated_at = now()
  where own.workflow_id = p_workflow_id and own.owner = caller;
  if not found then
    raise exception 'version_not_found' using errcode = 'PT404';
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_set_publication(uuid, jsonb, jsonb)', 'authenticated', 'service_role');

-- Starts a run of the caller's workflow, named by its id or its slug. Raises "not_published".
create or replace function public.studio_start_run(
  p_workflow text, p_target text, p_input jsonb, p_key text default null, p_forked_from jsonb default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  found_id uuid;
begin
  select own.workflow_id into found_id from public.studio_publications as own
  where own.owner = caller and (own.slug = p_workflow or own.workflow_id::text = p_workflow);
  if found_id is null then
    raise exception 'not_published' using errcode = 'PT404';
  end if;
  return private.studio_queue_run(found_id, p_target, p_input, 'manual', p_key, null, p_forked_from);
end;
$$;

select private.studio_grant_calls('public.studio_start_run(text, text, jsonb, text, jsonb)', 'authenticated', 'service_role');

-- Switches a trigger of the caller. One that is switched on waits for its next time; what it missed is gone.
create or replace function public.studio_switch_trigger(p_trigger_id uuid, p_enabled boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  update public.studio_triggers as own set enabled = p_enabled, next_at = null, problem = null
  where own.id = p_trigger_id and own.owner = caller;
  if not found then
    raise exception 'trigger_not_found' using errcode = 'PT404';
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_switch_trigger(uuid, boolean)', 'authenticated', 'service_role');

-- Keeps what strangers are shown of one of the caller's runs, for 30 days, and gives { id, slug, expiresAt }: the only time that the
-- slug is seen. Raises "run_not_found", "too_many_shares".
create or replace function public.studio_share_run(
  p_run_id uuid, p_title text, p_parts jsonb, p_snapshot jsonb
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  -- 128 bits out of 244 random ones.
  slug constant text := left(
    encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'hex'), 32);
  made public.studio_shared_runs%rowtype;
begin
  perform 1 from public.studio_runs as runs
  where runs.id = p_run_id and runs.owner = caller and runs.status not in ('queued', 'running', 'waiting');
  if not found then
    raise exception 'run_not_found' using errcode = 'PT404';
  end if;
  delete from public.studio_shared_runs as shared where shared.owner = caller and shared.expires_at <= now();
  if (select count(*) from public.studio_shared_runs as shared where shared.owner = caller) >= 200 then
    raise exception 'too_many_shares' using errcode = 'PT400';
  end if;
  insert into public.studio_shared_runs (owner, run_id, slug_hash, title, parts, snapshot)
  values (caller, p_run_id, encode(sha256(convert_to(slug, 'UTF8')), 'hex'), p_title, p_parts, p_snapshot)
  returning * into made;
  return jsonb_build_object('id', made.id, 'slug', slug, 'expiresAt', made.expires_at);
end;
$$;

select private.studio_grant_calls('public.studio_share_run(uuid, text, jsonb, jsonb)', 'authenticated', 'service_role');
