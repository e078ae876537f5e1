create or replace function private.studio_index_knowledge_chunk() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.language := coalesce((
    select documents.language from public.studio_knowledge_documents as documents
    where documents.id = new.document_id and documents.owner = new.owner
  ), 'english');
  new.search := private.studio_search_vector(new.language, new.heading, new.content);
  return new;
end;
$$;

select private.studio_grant_calls('private.studio_index_knowledge_chunk()');
