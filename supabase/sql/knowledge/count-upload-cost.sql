-- What a document costs while it is made of a file that came by an API key, the key has spent; also where it was deleted meanwhile. What its
-- owner may write of the document changes nothing of that.
create or replace function public.studio_count_upload_cost(p_document_id uuid, p_usd double precision) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  insert into private.studio_key_spending as spending (key_id, day, usd)
  select documents.upload_key, (now() at time zone 'utc')::date, p_usd::numeric
  from public.studio_knowledge_documents as documents
  where documents.id = p_document_id and documents.owner = caller and documents.upload_key is not null
    and (documents.upload is not null or documents.deleted_at is not null) and p_usd > 0
  on conflict (key_id, day) do update set usd = spending.usd + excluded.usd;
end;
$$;

select private.studio_grant_calls('public.studio_count_upload_cost(uuid, double precision)', 'authenticated', 'service_role');
