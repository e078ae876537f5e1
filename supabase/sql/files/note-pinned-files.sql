-- Which workflow holds which file in its pinned outputs. Files of others are left out.
create or replace function private.studio_note_pinned_files() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.studio_pinned_files as held where held.workflow_id = new.id;
  insert into private.studio_pinned_files (workflow_id, file, owner)
  select distinct new.id, files.id, new.owner
  from jsonb_path_query(new.document, '$.nodes.*.pin.output.**."$file"') as named (id)
  join public.studio_files as files on files.owner = new.owner and files.id = case
    when named.id #>> '{}' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (named.id #>> '{}')::uuid end
  on conflict do nothing;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_note_pinned_files()');
