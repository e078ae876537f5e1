-- The documents of a collection follow its language, but for those whose own a person chose.
create or replace function private.studio_change_collection_language() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Guessing is left to studio_reindex_owner.
  update public.studio_knowledge_documents as documents set language = new.language
  where documents.collection_id = new.id and documents.owner = new.owner and not documents.language_chosen;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_change_collection_language()');
