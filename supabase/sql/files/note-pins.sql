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
