-- Deletes files that were stored for something which then did not come of them, but none that is held anyhow: an answer may have been lost.
create or replace function public.studio_discard_files(p_owner uuid, p_files uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- Whoever is about to hold one is waited for, so that the next statement sees it.
  perform 1 from public.studio_files as files where files.owner = p_owner and files.id = any (p_files) order by files.id for update;
  delete from public.studio_files as files
  where files.owner = p_owner and files.id = any (p_files)
    and not exists (select from private.studio_file_uses as uses where uses.file = files.id)
    and not exists (select from private.studio_message_files as kept where kept.file = files.id)
    and not exists (select from private.studio_case_files as kept where kept.file = files.id)
    and not exists (select from private.studio_pinned_files as kept where kept.file = files.id)
    and not exists (select from public.studio_knowledge_documents as documents where documents.upload = files.id)
    and not exists (select from public.studio_knowledge_documents as documents where documents.original = files.id);
end;
$$;

select private.studio_grant_calls('public.studio_discard_files(uuid, uuid[])', 'service_role');
