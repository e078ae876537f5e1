-- The name that a page's document gets: its title, followed by its address where another document of the collection has that name.
-- A document that is there already (p_document) has it from then on. Null where another turn has begun.
create or replace function private.studio_name_source_document(
  p_owner uuid, p_source uuid, p_turn uuid, p_document uuid, p_title text, p_url text
) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  collection uuid;
  named text := p_title;
begin
  perform private.studio_limit_waiting();
  perform set_config('studio.moves_on', 'yes', true);
  select own.collection_id into collection from public.studio_knowledge_sources as own
  where own.id = p_source and own.owner = p_owner and own.turn = p_turn;
  if not found then
    return null;
  end if;
  perform pg_advisory_xact_lock(hashtextextended(collection::text || ' ' || p_title, 0));
  if exists (
    select from public.studio_knowledge_documents as others
    where others.collection_id = collection and others.owner = p_owner and others.name = p_title and others.deleted_at is null
      and others.id is distinct from p_document
  ) then
    named := left(p_title, 200) || ' (' || left(p_url, 290) || ')';
  end if;
  update public.studio_knowledge_documents as own set name = named
  where own.id = p_document and own.owner = p_owner and own.collection_id = collection and own.name <> named;
  return named;
end;
$$;

select private.studio_grant_calls('private.studio_name_source_document(uuid, uuid, uuid, uuid, text, text)', 'studio_worker');
