-- Which case of a suite holds which file, in its input or its recording. What an earlier state of the case named stays with it, since a
-- version of the suite may bring that back. Files of others are left out.
create or replace function private.studio_note_case_files() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.studio_case_files (case_id, file, owner)
  select distinct changed.id, files.id, changed.owner
  from changed
  cross join lateral jsonb_path_query(jsonb_build_array(changed.body, changed.cassette), '$.**."$file"') as named (id)
  join public.studio_files as files on files.owner = changed.owner and files.id = case
    when named.id #>> '{}' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (named.id #>> '{}')::uuid end
  where position('"$file"' in changed.body::text) > 0 or position('"$file"' in changed.cassette::text) > 0
  on conflict do nothing;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_note_case_files()');
