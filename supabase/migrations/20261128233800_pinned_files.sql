-- Subject: files

-- Which workflow holds which file in its pinned outputs: it stays as long as the pin.
create table private.studio_pinned_files (
  workflow_id uuid not null,
  file uuid not null,
  owner uuid not null references auth.users (id) on delete cascade,
  primary key (workflow_id, file),
  foreign key (workflow_id, owner) references public.studio_workflows (id, owner) on delete cascade,
  foreign key (file, owner) references public.studio_files (id, owner) on delete cascade
);

create index studio_pinned_files_of_workflow on private.studio_pinned_files (workflow_id, owner);

create index studio_pinned_files_of_owner on private.studio_pinned_files (owner);
create index studio_pinned_files_of_file on private.studio_pinned_files (file, owner);

select private.studio_grant_rows('private.studio_pinned_files');

-- Which workflow holds which file in its pinned outputs. Files of others are left out.
create or replace function private.studio_note_pins(p_workflow_id uuid, p_owner uuid, p_document jsonb) returns void
language sql security definer set search_path = ''
as $$
  delete from private.studio_pinned_files as held where held.workflow_id = p_workflow_id;
  insert into private.studio_pinned_files (workflow_id, file, owner)
  select distinct p_workflow_id, files.id, p_owner
  from jsonb_path_query(p_document, '$.nodes.*.pin.output.**."$file"') as named (id)
  join public.studio_files as files on files.owner = p_owner and files.id = case
    when named.id #>> '{}' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (named.id #>> '{}')::uuid end
  on conflict do nothing;
$$;

select private.studio_grant_calls('private.studio_note_pins(uuid, uuid, jsonb)');

create or replace function private.studio_note_pinned_files() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_note_pins(new.id, new.owner, new.document);
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_note_pinned_files()');

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

create trigger studio_note_pinned_files after insert on public.studio_workflows
for each row when (position('"$file"' in new.document::text) > 0) execute function private.studio_note_pinned_files();

create trigger studio_note_changed_pins after update of document on public.studio_workflows
for each row when (position('"$file"' in old.document::text) > 0 or position('"$file"' in new.document::text) > 0)
execute function private.studio_note_pinned_files();

select private.studio_note_pins(workflows.id, workflows.owner, workflows.document)
from public.studio_workflows as workflows where position('"$file"' in workflows.document::text) > 0;

select private.studio_count_table('private.studio_pinned_files', 'none', '0');
