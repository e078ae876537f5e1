-- What the documents of a collection can be filtered by, at most 200: the types and some values of each field.
create or replace function public.studio_knowledge_fields(p_collection_id uuid)
returns table (name text, types text[], examples jsonb)
language sql stable security invoker set search_path = ''
as $$
  with noted as materialized (
    select field.key, one.value
    from public.studio_knowledge_documents as documents
    cross join lateral jsonb_each(documents.metadata) as field
    cross join lateral jsonb_path_query(field.value, '$[*]') as one (value)
    where documents.owner = (select auth.uid()) and documents.collection_id = p_collection_id and documents.deleted_at is null
  ), found as (
    select noted.key, noted.value, count(*) as times from noted group by noted.key, noted.value
  ), ranked as (
    select found.*, row_number() over (partition by found.key order by found.times desc, found.value) as place from found
  )
  select ranked.key, array_agg(distinct case jsonb_typeof(ranked.value) when 'string' then 'text' else jsonb_typeof(ranked.value) end),
    jsonb_agg(ranked.value order by ranked.place) filter (where ranked.place <= 5)
  from ranked
  group by ranked.key
  order by ranked.key collate "C"
  limit 200;
$$;

select private.studio_grant_calls('public.studio_knowledge_fields(uuid)', 'authenticated', 'service_role');
