-- The language of a document: that of its collection, or else guessed from up to 20 of its sections, from beginning to end.
create or replace function private.studio_document_language(p_collection_id uuid, p_owner uuid, p_sections jsonb) returns text
language sql stable security invoker set search_path = ''
as $$
  select coalesce(
    (
      select collections.language from public.studio_knowledge_collections as collections
      where collections.id = p_collection_id and collections.owner = p_owner
    ),
    private.studio_guess_language((
      select string_agg(left(p_sections -> (number * counted.sections / counted.read) ->> 'text', 8000 / counted.read), ' ' order by number)
      from (select jsonb_array_length(p_sections) as sections, least(greatest(jsonb_array_length(p_sections), 1), 20) as read) as counted
      cross join lateral generate_series(0, counted.read - 1) as number
    ))
  );
$$;

select private.studio_grant_calls('private.studio_document_language(uuid, uuid, jsonb)');
