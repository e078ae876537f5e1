-- Two that bring a document of the same name wait for each other, so that a name stands for one document.
create or replace function private.studio_lock_document_name(p_collection_id uuid, p_name text) returns void
language sql security definer set search_path = ''
as $$
  select pg_advisory_xact_lock(hashtextextended(p_collection_id::text || ' ' || p_name, 0));
$$;

select private.studio_grant_calls('private.studio_lock_document_name(uuid, text)', 'authenticated', 'service_role');
