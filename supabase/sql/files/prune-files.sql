-- Deletes the owner's files that no run, no remembered message, no test case and no pinned output holds and that no document is made of,
-- once a day has passed in which one could have begun with them.
create or replace function private.studio_prune_files(p_owner uuid) returns void
language sql security definer set search_path = ''
as $$
  delete from public.studio_files as files where files.id in (
    select old.id from public.studio_files as old
    where old.owner = p_owner and old.created_at < now() - interval '1 day'
      and not exists (select from private.studio_file_uses as uses where uses.file = old.id)
      and not exists (select from private.studio_message_files as kept where kept.file = old.id)
      and not exists (select from private.studio_case_files as kept where kept.file = old.id)
      and not exists (select from private.studio_pinned_files as kept where kept.file = old.id)
      and not exists (select from public.studio_knowledge_documents as documents where documents.upload = old.id)
      and not exists (select from public.studio_knowledge_documents as documents where documents.original = old.id)
    limit 500);
$$;

select private.studio_grant_calls('private.studio_prune_files(uuid)');
