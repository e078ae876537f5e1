-- A collection that stands for a table is only read: it takes no documents and no sources. Errors, by message: knowledge_only_read.
create or replace function private.studio_refuse_into_table() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (
    select from public.studio_knowledge_collections as collections
    where collections.id = new.collection_id and collections.postgres_table is not null
  ) then
    raise exception 'knowledge_only_read' using errcode = 'PT409';
  end if;
  return new;
end;
$$;

select private.studio_grant_calls('private.studio_refuse_into_table()');
