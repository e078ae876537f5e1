-- Deletes a source of the caller, with the documents that it alone brought where p_with_documents says so: how many those are. Null where
-- there is no such source.
create or replace function public.studio_delete_source(p_id uuid, p_with_documents boolean) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  removed integer := 0;
begin
  perform from public.studio_knowledge_sources as own where own.id = p_id and own.owner = caller for update;
  if not found then
    return null;
  end if;
  if p_with_documents then
    update public.studio_knowledge_documents as documents set deleted_at = now(), upload = null
    where documents.owner = caller and documents.deleted_at is null
      and documents.id in (
        select pages.document_id from public.studio_knowledge_source_pages as pages
        where pages.source_id = p_id and pages.owner = caller)
      and not exists (
        select from public.studio_knowledge_source_pages as others
        where others.document_id = documents.id and others.owner = caller and others.source_id <> p_id);
    get diagnostics removed = row_count;
  end if;
  delete from public.studio_knowledge_sources as own where own.id = p_id;
  return removed;
end;
$$;

select private.studio_grant_calls('public.studio_delete_source(uuid, boolean)', 'authenticated', 'service_role');
