-- Notes which visitor of which chat page sent a file, so that it goes with that visitor's messages alone.
create or replace function public.studio_note_chat_upload(p_workflow_id uuid, p_subject text, p_file uuid) returns void
language sql security definer set search_path = ''
as $$
  insert into private.studio_chat_uploads (file, owner, workflow_id, subject)
  select files.id, files.owner, p_workflow_id, p_subject from public.studio_files as files
  join public.studio_publications as publications
    on publications.workflow_id = p_workflow_id and publications.owner = files.owner
  where files.id = p_file
  on conflict (file) do nothing;
$$;

select private.studio_grant_calls('public.studio_note_chat_upload(uuid, text, uuid)', 'service_role');
