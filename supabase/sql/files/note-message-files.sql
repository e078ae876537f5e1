-- Which remembered message holds which file. Files of others are left out.
create or replace function private.studio_note_message_files() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (select from added where position('"$file"' in added.message::text) > 0) then
    return null;
  end if;
  insert into private.studio_message_files (message_id, file, owner)
  select distinct added.id, files.id, added.owner
  from added
  cross join lateral jsonb_path_query(added.message, '$.**."$file"') as named (id)
  join public.studio_files as files on files.owner = added.owner and files.id = case
    when named.id #>> '{}' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (named.id #>> '{}')::uuid end
  on conflict do nothing;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_note_message_files()');
