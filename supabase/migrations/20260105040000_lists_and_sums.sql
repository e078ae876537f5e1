-- Lists page by page and sums that are never cut. PostgREST hands out 1,000 rows at most, without saying so: what may be
-- longer is summed up here, or given a page at a time. All functions run with the caller's rights, so that row level
-- security decides what they see.
--
-- Every list takes p_search (words that all stand in the name; null or empty fits all), p_after (the `place` of the last row
-- that was read; null begins) and p_limit. Each row says how many fit in all (`total`), on every page.

-- Names as they are searched: in small letters, without accents. Like the next one it has no search path of its own, which
-- would keep Postgres from putting its body in the place of the call; it names everything in full instead.
create function public.studio_fold(p_text text) returns text
language sql immutable security invoker
as $$
  select case
    when pg_catalog.octet_length(p_text) = pg_catalog.char_length(p_text) then pg_catalog.lower(p_text)
    else pg_catalog.regexp_replace(
      pg_catalog.normalize(pg_catalog.lower(p_text), 'NFKD'), '[\u0300-\u036f]', '', 'g')
  end;
$$;

-- Names as they are sorted: 2 before 10, whatever the database's own order of letters is. Numbers count to twelve digits.
create function public.studio_sort_key(p_name text) returns text
language sql immutable security invoker
as $$
  select pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(public.studio_fold(p_name), '([0-9]+)', '00000000000\1', 'g'),
    '[0-9]*([0-9]{12})', '\1', 'g') collate "C";
$$;

-- Patterns for LIKE, one for each word of a search.
create function public.studio_search_patterns(p_search text) returns text[]
language sql immutable security invoker set search_path = ''
as $$
  select coalesce(array_agg('%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%'), '{}')
  from regexp_split_to_table(public.studio_fold(left(p_search, 200)), '\s+') as word
  where word <> '';
$$;

-- Workflows: p_order is `edited` (the latest edit first), `created` (the newest first) or `name`.
create function public.studio_list_workflows(p_search text, p_order text, p_after jsonb, p_limit integer)
returns table (
  id uuid, name text, revision integer, created_at timestamptz, updated_at timestamptz, total bigint, place jsonb
)
language sql stable security invoker set search_path = ''
as $$
  with fitting as materialized (
    select workflows.id, workflows.name, workflows.revision, workflows.created_at, workflows.updated_at,
      case p_order when 'created' then workflows.created_at when 'edited' then workflows.updated_at end as moment,
      case when p_order = 'name' then public.studio_sort_key(workflows.name) end as sort_key
    from public.studio_workflows as workflows
    where workflows.owner = (select auth.uid()) and workflows.deleted_at is null
      and public.studio_fold(workflows.name) like all ((select public.studio_search_patterns(p_search))::text[])
  )
  select fitting.id, fitting.name, fitting.revision, fitting.created_at, fitting.updated_at,
    (select count(*) from fitting),
    jsonb_build_object('id', fitting.id, 'moment', fitting.moment, 'key', fitting.sort_key)
  from fitting
  where p_after is null
    or (p_order <> 'name' and (fitting.moment, fitting.id) < ((p_after ->> 'moment')::timestamptz, (p_after ->> 'id')::uuid))
    or (p_order = 'name' and (fitting.sort_key, fitting.id) > (p_after ->> 'key' collate "C", (p_after ->> 'id')::uuid))
  order by fitting.moment desc, fitting.sort_key collate "C", case when p_order = 'name' then fitting.id end,
    fitting.id desc
  limit p_limit;
$$;

-- Credentials by name, of the given types (null: of all) or with the given ids (null: any).
create function public.studio_list_credentials(
  p_search text, p_types text[], p_ids uuid[], p_after jsonb, p_limit integer
) returns table (
  id uuid, name text, type text, last_four text, allowed_hosts text[], settings jsonb, updated_at timestamptz,
  total bigint, place jsonb
)
language sql stable security invoker set search_path = ''
as $$
  with fitting as materialized (
    select credentials.id, credentials.name, credentials.type, credentials.last_four, credentials.allowed_hosts,
      credentials.settings, credentials.updated_at, public.studio_sort_key(credentials.name) as sort_key
    from public.studio_credentials as credentials
    where credentials.owner = (select auth.uid())
      and (p_types is null or credentials.type = any (p_types))
      and (p_ids is null or credentials.id = any (p_ids))
      and public.studio_fold(credentials.name) like all ((select public.studio_search_patterns(p_search))::text[])
  )
  select fitting.id, fitting.name, fitting.type, fitting.last_four, fitting.allowed_hosts, fitting.settings,
    fitting.updated_at, (select count(*) from fitting),
    jsonb_build_object('id', fitting.id, 'key', fitting.sort_key)
  from fitting
  where p_after is null
    or (fitting.sort_key, fitting.id) > (p_after ->> 'key' collate "C", (p_after ->> 'id')::uuid)
  order by fitting.sort_key collate "C", fitting.id
  limit p_limit;
$$;

-- Which workflows name these credentials in their nodes: of each credential the ten edited last, and how many there are.
create function public.studio_credential_uses(p_credentials uuid[])
returns table (credential_id uuid, workflow_id uuid, workflow_name text, total bigint)
language sql stable security invoker set search_path = ''
as $$
  with used as (
    select distinct named.credential_id, workflows.id, workflows.name, workflows.updated_at
    from public.studio_workflows as workflows
    cross join lateral jsonb_path_query(workflows.document, 'lax $.nodes.*.config.credential') as found
    join unnest(p_credentials) as named (credential_id) on named.credential_id::text = found #>> '{}'
    where workflows.owner = (select auth.uid()) and workflows.deleted_at is null
  ), placed as (
    select used.*, row_number() over (partition by used.credential_id order by used.updated_at desc, used.id) as place,
      count(*) over (partition by used.credential_id) as total
    from used
  )
  select placed.credential_id, placed.id, placed.name, placed.total
  from placed
  where placed.place <= 10
  order by placed.credential_id, placed.place;
$$;

-- Collections by name, or those with the given ids (null: all), with what they hold.
create function public.studio_list_collections(p_search text, p_ids uuid[], p_after jsonb, p_limit integer)
returns table (
  id uuid, name text, description text, embedding_provider text, embedding_model text, embedding_credential text,
  dimension integer, chunk_size integer, chunk_overlap integer, documents bigint, chunks bigint,
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
    collections.chunk_overlap, held.documents, held.chunks, collections.created_at,
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

-- Documents of a collection, the latest first.
create function public.studio_list_documents(p_collection_id uuid, p_search text, p_after jsonb, p_limit integer)
returns table (
  id uuid, collection_id uuid, name text, kind text, source text, content_hash text, size bigint, status text,
  error jsonb, chunks integer, tokens bigint, cost_usd double precision, created_at timestamptz,
  updated_at timestamptz, total bigint, place jsonb
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
    documents.tokens::bigint, documents.cost_usd::double precision, documents.created_at, documents.updated_at,
    (select count(*) from fitting),
    jsonb_build_object('id', fitting.id, 'moment', fitting.created_at)
  from fitting
  join public.studio_knowledge_documents as documents on documents.id = fitting.id
  where p_after is null
    or (fitting.created_at, fitting.id) < ((p_after ->> 'moment')::timestamptz, (p_after ->> 'id')::uuid)
  order by fitting.created_at desc, fitting.id desc
  limit p_limit;
$$;

-- Conversations of one workflow and, where p_shared, those of all workflows; the latest used first. What is kept beside a
-- conversation (its scratchpad, its summary) is counted into it. `bytes` counts everything as JSON.
create function public.studio_list_conversations(
  p_workflow_id uuid, p_shared boolean, p_search text, p_after jsonb, p_limit integer
) returns table (
  workflow_id uuid, session_id text, messages bigint, bytes bigint, last_used_at timestamptz, notes boolean,
  summarised boolean, total bigint, place jsonb
)
language sql stable security invoker set search_path = ''
as $$
  with sided as (
    select kept.*, substring(kept.session_id from '^.+:(scratchpad|summary)$') as side
    from public.studio_memory_conversations as kept
    where kept.owner = (select auth.uid())
      and (kept.workflow_id = p_workflow_id or (p_shared and kept.workflow_id is null))
  ), fitting as materialized (
    select sided.workflow_id, named.session_id,
      coalesce(sum(sided.messages) filter (where sided.side is null), 0)::bigint as messages,
      sum(sided.bytes)::bigint as bytes,
      max(sided.last_message) as last_message,
      max(sided.last_used_at) as last_used_at,
      coalesce(bool_or(sided.side = 'scratchpad'), false) as notes,
      coalesce(bool_or(sided.side = 'summary'), false) as summarised
    from sided
    cross join lateral (
      select coalesce(left(sided.session_id, -length(sided.side) - 1), sided.session_id) as session_id
    ) as named
    where public.studio_fold(named.session_id) like all ((select public.studio_search_patterns(p_search))::text[])
    group by sided.workflow_id, named.session_id
  )
  select fitting.workflow_id, fitting.session_id, fitting.messages, fitting.bytes, fitting.last_used_at, fitting.notes,
    fitting.summarised, (select count(*) from fitting), jsonb_build_object('lastMessage', fitting.last_message)
  from fitting
  where p_after is null or fitting.last_message < (p_after ->> 'lastMessage')::bigint
  order by fitting.last_message desc
  limit p_limit;
$$;

-- What the caller's runs that began in [p_from, p_to) took, added up along four axes: `total` (one row), `day` of the time
-- zone, `workflow` and `model`. Of workflows and models the p_most dearest (200 at most) have a row each; the others share
-- one with key null, and `merged` says how many they are, so that every axis adds up to the total. Costs leave out calls
-- without a known price, which unpriced_calls counts. Models have no count of runs.
create function public.studio_run_costs(p_from timestamptz, p_to timestamptz, p_time_zone text, p_most integer)
returns table (
  axis text, key text, name text, provider text, merged bigint, runs bigint, calls bigint, unpriced_calls bigint,
  input_tokens bigint, output_tokens bigint, cost_usd numeric
)
language sql stable security invoker set search_path = ''
as $$
  with own as materialized (
    select (runs.started_at at time zone p_time_zone)::date as day, runs.workflow_id, runs.usage
    from public.studio_runs as runs
    where runs.owner = (select auth.uid()) and runs.started_at >= p_from and runs.started_at < p_to
  ), parts as (
    select own.day, own.workflow_id, null::text as provider, null::text as model, count(*) as runs, 0::bigint as calls,
      0::bigint as unpriced_calls, 0::bigint as input_tokens, 0::bigint as output_tokens, 0::numeric as cost_usd
    from own
    group by own.day, own.workflow_id
    union all
    select own.day, own.workflow_id, coalesce(used.value ->> 'provider', ''), coalesce(used.value ->> 'model', ''), 0,
      sum((used.value ->> 'calls')::bigint)::bigint,
      coalesce(sum((used.value ->> 'calls')::bigint) filter (where used.value ->> 'costUsd' is null), 0)::bigint,
      sum((used.value ->> 'inputTokens')::bigint)::bigint, sum((used.value ->> 'outputTokens')::bigint)::bigint,
      coalesce(sum((used.value ->> 'costUsd')::numeric), 0)
    from own
    cross join lateral jsonb_array_elements(coalesce(own.usage, '[]'::jsonb)) as used (value)
    group by own.day, own.workflow_id, 3, 4
  ), sums as (
    select
      case when grouping(parts.day) = 0 then 'day' when grouping(parts.workflow_id) = 0 then 'workflow'
        when grouping(parts.model) = 0 then 'model' else 'total' end as axis,
      parts.day, parts.workflow_id, parts.provider, parts.model, sum(parts.runs)::bigint as runs,
      sum(parts.calls)::bigint as calls, sum(parts.unpriced_calls)::bigint as unpriced_calls,
      sum(parts.input_tokens)::bigint as input_tokens, sum(parts.output_tokens)::bigint as output_tokens,
      sum(parts.cost_usd) as cost_usd
    from parts
    group by grouping sets ((), (parts.day), (parts.workflow_id), (parts.provider, parts.model))
  ), ranked as (
    select sums.*, coalesce(sums.day::text, sums.workflow_id::text, sums.model, '') as key,
      case
        when sums.axis = 'day' then row_number() over (partition by sums.axis order by sums.day desc) <= 400
        else row_number() over (
          partition by sums.axis
          order by sums.cost_usd desc, sums.input_tokens + sums.output_tokens desc, sums.runs desc, sums.workflow_id,
            sums.model, sums.provider
        ) <= least(greatest(p_most, 1), 200)
      end as shown
    from sums
    where sums.axis <> 'model' or sums.model is not null
  ), bounded as (
    select ranked.axis, case when ranked.shown then ranked.key end as key,
      case when ranked.shown then ranked.workflow_id end as workflow_id,
      case when ranked.shown then ranked.provider end as provider, count(*) as merged, sum(ranked.runs)::bigint as runs,
      sum(ranked.calls)::bigint as calls, sum(ranked.unpriced_calls)::bigint as unpriced_calls,
      sum(ranked.input_tokens)::bigint as input_tokens, sum(ranked.output_tokens)::bigint as output_tokens,
      sum(ranked.cost_usd) as cost_usd
    from ranked
    group by 1, 2, 3, 4
  )
  select bounded.axis, bounded.key, coalesce(workflows.name, bounded.key, ''), coalesce(bounded.provider, ''),
    bounded.merged, bounded.runs, bounded.calls, bounded.unpriced_calls, bounded.input_tokens, bounded.output_tokens,
    bounded.cost_usd
  from bounded
  left join public.studio_workflows as workflows on workflows.id = bounded.workflow_id
  -- The sum of nothing is no row worth showing.
  where bounded.runs is not null
  order by bounded.axis, bounded.key is null, case when bounded.axis = 'day' then bounded.key end,
    bounded.cost_usd desc, bounded.input_tokens + bounded.output_tokens desc, bounded.runs desc, bounded.key;
$$;

drop function public.studio_run_spending(timestamptz, timestamptz, text);
drop function public.studio_run_counts(timestamptz, timestamptz, text);
drop function public.studio_knowledge_overview();

do $$
declare
  signature text;
begin
  foreach signature in array array[
    'studio_fold(text)',
    'studio_sort_key(text)',
    'studio_search_patterns(text)',
    'studio_list_workflows(text, text, jsonb, integer)',
    'studio_list_credentials(text, text[], uuid[], jsonb, integer)',
    'studio_credential_uses(uuid[])',
    'studio_list_collections(text, uuid[], jsonb, integer)',
    'studio_list_documents(uuid, text, jsonb, integer)',
    'studio_list_conversations(uuid, boolean, text, jsonb, integer)',
    'studio_run_costs(timestamptz, timestamptz, text, integer)'
  ] loop
    execute format('revoke all on function public.%s from public, anon, authenticated', signature);
    execute format('grant execute on function public.%s to authenticated, service_role', signature);
  end loop;
end;
$$;
