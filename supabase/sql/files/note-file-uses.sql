-- Which run holds which file, as its events say that it received or made it. Files of others are left out.
create or replace function private.studio_note_file_uses() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (
    select from added where added.type = 'file-add' or (added.type = 'run-start' and added.event ? 'files')
  ) then
    return null;
  end if;
  insert into private.studio_file_uses (run_id, file, owner)
  select distinct named.run_id, files.id, named.owner
  from (
    select added.run_id, added.owner, added.event -> 'file' ->> '$file' as id from added where added.type = 'file-add'
    union all
    select added.run_id, added.owner, given.file ->> '$file'
    from added cross join lateral jsonb_array_elements(
      case when jsonb_typeof(added.event -> 'files') = 'array' then added.event -> 'files' else '[]' end) as given (file)
    where added.type = 'run-start'
  ) as named
  join public.studio_files as files on files.owner = named.owner and files.id = case
    when named.id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then named.id::uuid end
  on conflict do nothing;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_note_file_uses()');
