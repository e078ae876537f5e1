-- Deletes the documents of a name from an owner's collection, as its page does: how many. Null where the owner has no such collection.
create or replace function public.studio_remove_documents(p_owner uuid, p_collection_id uuid, p_name text) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  removed integer;
begin
  if not exists (
    select from public.studio_knowledge_collections as collections
    where collections.id = p_collection_id and collections.owner = p_owner and collections.deleted_at is null
  ) then
    return null;
  end if;
  update public.studio_knowledge_documents as documents set deleted_at = now(), upload = null
  where documents.collection_id = p_collection_id and documents.owner = p_owner and documents.name = p_name
    and documents.deleted_at is null;
  get diagnostics removed = row_count;
  return removed;
end;
$$;

select private.studio_grant_calls('public.studio_remove_documents(uuid, uuid, text)', 'service_role');
