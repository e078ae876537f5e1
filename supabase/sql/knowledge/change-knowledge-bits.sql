-- A trigger with a table of all changed rows cannot be for one column, and most changes of chunks are of their places.
create or replace function private.studio_change_knowledge_bits() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.embedding is null then
    delete from public.studio_knowledge_bits as bits where bits.chunk_id = new.id;
  else
    insert into public.studio_knowledge_bits (chunk_id, owner, collection_id, document_id, bits)
    values (new.id, new.owner, new.collection_id, new.document_id, extensions.binary_quantize(new.embedding))
    on conflict (chunk_id) do update set bits = excluded.bits;
  end if;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_change_knowledge_bits()');
