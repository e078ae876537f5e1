-- Indexes a few chunks of an owner's document whose language changed or was never guessed. Gives whether something is left. So few at
-- once that others hardly wait on the embedded stack.
create or replace function private.studio_reindex_owner(p_owner uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  at_once constant integer := 25;
  document public.studio_knowledge_documents%rowtype;
  changed integer;
begin
  select * into document from public.studio_knowledge_documents as documents
  where documents.owner = p_owner and documents.stale
  order by documents.id limit 1 for update skip locked;
  if not found then
    return false;
  end if;
  if document.language is null then
    document.language := private.studio_document_language(document.collection_id, p_owner, document.sections);
    update public.studio_knowledge_documents as documents set language = document.language where documents.id = document.id;
  end if;
  update public.studio_knowledge_chunks as chunks set language = document.language
  where chunks.id in (
    select outdated.id from public.studio_knowledge_chunks as outdated
    where outdated.document_id = document.id and outdated.language is distinct from document.language limit at_once
  );
  get diagnostics changed = row_count;
  if changed = at_once then
    return true;
  end if;
  update public.studio_knowledge_documents as documents set stale = false where documents.id = document.id;
  return exists (
    select from public.studio_knowledge_documents as documents where documents.owner = p_owner and documents.stale
  );
end;
$$;

select private.studio_grant_calls('private.studio_reindex_owner(uuid)', 'studio_worker');
