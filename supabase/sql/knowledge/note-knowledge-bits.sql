create or replace function private.studio_note_knowledge_bits() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.studio_knowledge_bits (chunk_id, owner, collection_id, document_id, bits)
  select added.id, added.owner, added.collection_id, added.document_id, extensions.binary_quantize(added.embedding)
  from added where added.embedding is not null;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_note_knowledge_bits()');
