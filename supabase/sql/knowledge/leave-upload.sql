-- Gives back a document that could not be read because something did not answer: it comes due again soon.
create or replace function private.studio_leave_upload(p_worker text, p_owner uuid, p_document uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_limit_waiting();
  update public.studio_knowledge_documents as documents set upload_due = now() + interval '10 seconds', upload_worker = null
  where documents.id = p_document and documents.owner = p_owner and documents.upload_worker = p_worker and documents.upload is not null;
end;
$$;

select private.studio_grant_calls('private.studio_leave_upload(text, uuid, uuid)', 'studio_worker');
