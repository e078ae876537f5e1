-- Who makes a collection's vectors from now on; p_provider null: nobody. Vectors of another model are of no use, so a
-- change of provider or model drops them and makes the documents pending.
create or replace function public.studio_set_knowledge_embedding(
  p_collection_id uuid, p_provider text, p_model text, p_credential text
) returns void
language plpgsql security invoker set search_path = ''
as $$
declare
  same boolean;
begin
  select collections.embedding_provider is not distinct from p_provider
    and collections.embedding_model is not distinct from p_model into same
  from public.studio_knowledge_collections as collections where collections.id = p_collection_id for update;
  if not found then
    raise exception 'knowledge_collection_missing' using errcode = 'PT404';
  end if;
  update public.studio_knowledge_collections as collections
  set embedding_provider = p_provider, embedding_model = p_model, embedding_credential = coalesce(p_credential, ''),
    dimension = case when same then collections.dimension end
  where collections.id = p_collection_id;
  if same then
    return;
  end if;
  update public.studio_knowledge_chunks as chunks set embedding = null
  where chunks.collection_id = p_collection_id and chunks.embedding is not null;
  if p_provider is not null then
    update public.studio_knowledge_documents as documents set status = 'pending', error = null
    where documents.collection_id = p_collection_id;
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_set_knowledge_embedding(uuid, text, text, text)', 'authenticated', 'service_role');
