-- The metadata of a document once p_added is added: others stay, null removes. Errors, by message: knowledge_metadata_limit.
create or replace function public.studio_merge_metadata(p_present jsonb, p_added jsonb) returns jsonb
language plpgsql immutable set search_path = ''
as $$
declare
  merged constant jsonb := jsonb_strip_nulls(p_present || coalesce(p_added, '{}'::jsonb));
begin
  if jsonb_array_length(jsonb_path_query_array(merged, '$.keyvalue()')) > 32 or octet_length(merged::text) > 16384 then
    raise exception 'knowledge_metadata_limit' using errcode = 'PT400';
  end if;
  return merged;
end;
$$;

select private.studio_grant_calls('public.studio_merge_metadata(jsonb, jsonb)', 'authenticated', 'service_role');
