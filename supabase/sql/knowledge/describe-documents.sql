-- Adds metadata to the documents of a collection whose names have all words of p_search, and says how many there were. Null as a value
-- removes the field. Errors, by message: knowledge_metadata_limit.
create or replace function public.studio_describe_documents(p_collection_id uuid, p_search text, p_metadata jsonb) returns integer
language plpgsql security invoker set search_path = ''
as $$
declare
  described integer;
begin
  update public.studio_knowledge_documents as documents set metadata = public.studio_merge_metadata(documents.metadata, p_metadata)
  where documents.owner = (select auth.uid()) and documents.collection_id = p_collection_id and documents.deleted_at is null
    and public.studio_fold(documents.name) like all ((select public.studio_search_patterns(p_search))::text[]);
  get diagnostics described = row_count;
  return described;
end;
$$;

select private.studio_grant_calls('public.studio_describe_documents(uuid, text, jsonb)', 'authenticated', 'service_role');
