-- Subject: files
-- Bytes in storage, at <owner>/<id> of the bucket: each content once for an owner, and never shared between owners.
create table private.studio_blobs (
  id uuid primary key,
  owner uuid not null references auth.users (id) on delete cascade,
  size bigint not null check (size >= 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null default now(),
  unique (owner, sha256, size),
  unique (id, owner)
);

select private.studio_grant_rows('private.studio_blobs');

-- Files, as runs and people name them.
create table public.studio_files (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null references auth.users (id) on delete cascade,
  blob uuid not null,
  name text not null check (char_length(name) between 1 and 255 and name !~ '[/\\[:cntrl:]]'),
  media_type text not null check (media_type ~ '^[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*$' and char_length(media_type) <= 127),
  size bigint not null check (size >= 0),
  sha256 text not null,
  created_at timestamptz not null default now(),
  unique (id, owner),
  foreign key (blob, owner) references private.studio_blobs (id, owner) on delete cascade
);

create index studio_files_of_owner on public.studio_files (owner, created_at);
create index studio_files_of_blob on public.studio_files (blob);

select private.studio_grant_rows('public.studio_files', 'select');

-- Which run received or made which file: what a run holds stays as long as the run.
create table private.studio_file_uses (
  run_id uuid not null,
  file uuid not null,
  owner uuid not null references auth.users (id) on delete cascade,
  primary key (run_id, file),
  foreign key (run_id, owner) references public.studio_runs (id, owner) on delete cascade,
  foreign key (file, owner) references public.studio_files (id, owner) on delete cascade
);

create index studio_file_uses_of_owner on private.studio_file_uses (owner);
create index studio_file_uses_of_file on private.studio_file_uses (file);

select private.studio_grant_rows('private.studio_file_uses');

-- Bytes in storage that nothing holds, or that are being stored. They outlast the account.
create table private.studio_dead_blobs (
  folder uuid not null,
  blob uuid not null,
  due_at timestamptz not null default now(),
  primary key (folder, blob)
);

create index studio_dead_blobs_due on private.studio_dead_blobs (due_at);

select private.studio_grant_rows('private.studio_dead_blobs');

-- A file of the owner: { "$file", name, mediaType, size, sha256 }. Its bytes are the blob p_blob, or one of the same content that is
-- there already; p_blob is then garbage at once.
create or replace function public.studio_add_file(
  p_owner uuid, p_blob uuid, p_name text, p_media_type text, p_size bigint, p_sha256 text
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  kept uuid;
  added public.studio_files%rowtype;
begin
  perform pg_advisory_xact_lock(7423007, hashtext(p_owner::text));
  select blobs.id into kept from private.studio_blobs as blobs
  where blobs.owner = p_owner and blobs.sha256 = p_sha256 and blobs.size = p_size;
  if kept is null then
    insert into private.studio_blobs (id, owner, size, sha256) values (p_blob, p_owner, p_size, p_sha256);
    delete from private.studio_dead_blobs as dead where dead.folder = p_owner and dead.blob = p_blob;
    kept := p_blob;
  else
    update private.studio_dead_blobs as dead set due_at = now() where dead.folder = p_owner and dead.blob = p_blob;
  end if;
  insert into public.studio_files (owner, blob, name, media_type, size, sha256)
  values (p_owner, kept, p_name, p_media_type, p_size, p_sha256)
  returning * into added;
  return jsonb_build_object('$file', added.id, 'name', added.name, 'mediaType', added.media_type,
    'size', added.size, 'sha256', added.sha256);
end;
$$;

select private.studio_grant_calls('public.studio_add_file(uuid, uuid, text, text, bigint, text)', 'service_role');

-- Before bytes are stored: notes that they are garbage in an hour unless a file holds them by then. Gives how many bytes the owner may
-- store still.
create or replace function public.studio_begin_blob(p_owner uuid, p_blob uuid) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  most constant bigint := (select quotas.most from private.studio_quotas as quotas where quotas.kind = 'bytes');
  used constant bigint := (select usage.bytes from private.studio_usage as usage where usage.owner = p_owner);
begin
  insert into private.studio_dead_blobs (folder, blob, due_at) values (p_owner, p_blob, now() + interval '1 hour');
  return greatest(0, most - coalesce(used, 0));
end;
$$;

select private.studio_grant_calls('public.studio_begin_blob(uuid, uuid)', 'service_role');

-- Bytes go when the last file that has them does.
create or replace function private.studio_drop_blobs() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  changed uuid;
begin
  for changed in select distinct removed.owner from removed order by removed.owner loop
    perform pg_advisory_xact_lock(7423007, hashtext(changed::text));
  end loop;
  delete from private.studio_blobs as blobs where blobs.id in (select removed.blob from removed)
    and not exists (select from public.studio_files as files where files.blob = blobs.id);
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_drop_blobs()');

-- Bytes that no file holds any more: where they are in storage, the oldest first.
create or replace function public.studio_due_blobs(p_limit integer) returns table (folder uuid, blob uuid)
language sql stable security definer set search_path = ''
as $$
  select dead.folder, dead.blob from private.studio_dead_blobs as dead
  where dead.due_at <= now() order by dead.due_at limit least(p_limit, 100);
$$;

select private.studio_grant_calls('public.studio_due_blobs(integer)', 'service_role');

-- Notes that bytes are gone from storage.
create or replace function public.studio_forget_blob(p_folder uuid, p_blob uuid) returns void
language sql security definer set search_path = ''
as $$
  delete from private.studio_dead_blobs as dead where dead.folder = p_folder and dead.blob = p_blob and dead.due_at <= now();
$$;

select private.studio_grant_calls('public.studio_forget_blob(uuid, uuid)', 'service_role');

-- What goes here is in storage still. It is remembered under no owner, since it outlasts an account that is deleted.
create or replace function private.studio_note_dead_blobs() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.studio_dead_blobs (folder, blob) select removed.owner, removed.id from removed
  on conflict (folder, blob) do update set due_at = now();
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_note_dead_blobs()');

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

-- Deletes the owner's files that no run holds, once a day has passed in which one could have begun with them.
create or replace function private.studio_prune_files(p_owner uuid) returns void
language sql security definer set search_path = ''
as $$
  delete from public.studio_files as files where files.id in (
    select old.id from public.studio_files as old
    where old.owner = p_owner and old.created_at < now() - interval '1 day'
      and not exists (select from private.studio_file_uses as uses where uses.file = old.id)
    limit 500);
$$;

select private.studio_grant_calls('private.studio_prune_files(uuid)');

-- A file and where its bytes are: { folder, blob, file }; null where the owner has none with this id, or the run neither received nor
-- made it. One of p_owner and p_run is given.
create or replace function public.studio_read_file(p_file uuid, p_owner uuid default null, p_run uuid default null) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('folder', files.owner, 'blob', files.blob, 'file', jsonb_build_object('$file', files.id,
    'name', files.name, 'mediaType', files.media_type, 'size', files.size, 'sha256', files.sha256))
  from public.studio_files as files
  where files.id = p_file and (files.owner = p_owner or exists (
    select from private.studio_file_uses as uses where uses.file = files.id and uses.run_id = p_run));
$$;

select private.studio_grant_calls('public.studio_read_file(uuid, uuid, uuid)', 'service_role');

-- Deletes what an owner keeps no longer, with his own settings, as him. Gives whether something may be left.
create or replace function private.studio_prune_owner(p_owner uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  claims constant text := current_setting('request.jwt.claims', true);
  subject constant text := current_setting('request.jwt.claim.sub', true);
  pruned integer := 0;
begin
  perform private.studio_limit_waiting();
  if not pg_try_advisory_xact_lock(7423005, hashtext(p_owner::text)) then
    return false;
  end if;
  perform set_config('request.jwt.claims', jsonb_build_object('sub', p_owner, 'role', 'authenticated')::text, true),
    set_config('request.jwt.claim.sub', p_owner::text, true);
  pruned := public.studio_prune_runs();
  if pruned < 50 then
    pruned := public.studio_prune_conversations();
    perform public.studio_prune_trash();
  end if;
  perform set_config('request.jwt.claims', coalesce(claims, ''), true),
    set_config('request.jwt.claim.sub', coalesce(subject, ''), true);
  if pruned >= 50 then
    return true;
  end if;
  perform private.studio_prune_files(p_owner);
  delete from public.studio_shared_runs as old where old.owner = p_owner and old.expires_at <= now();
  delete from private.studio_notices as old where old.owner = p_owner and old.created_at < now() - interval '40 days';
  delete from private.studio_chore_problems as old
  where old.owner = p_owner and old.last_at < now() - interval '2 days' and old.chore <> 'retention';
  insert into private.studio_pruned (owner) values (p_owner) on conflict (owner) do update set at = now();
  return false;
end;
$$;

select private.studio_grant_calls('private.studio_prune_owner(uuid)', 'studio_worker');

create trigger studio_drop_blobs after delete on public.studio_files
referencing old table as removed for each statement execute function private.studio_drop_blobs();

create trigger studio_note_dead_blobs after delete on private.studio_blobs
referencing old table as removed for each statement execute function private.studio_note_dead_blobs();

create trigger studio_note_file_uses after insert on public.studio_run_events
referencing new table as added for each statement execute function private.studio_note_file_uses();

select private.studio_count_table('private.studio_blobs', 'none', 'item.size'),
  private.studio_count_table('public.studio_files', 'rows', 'octet_length(item.name)'),
  private.studio_count_table('private.studio_file_uses', 'none', '0');

-- Where there is Supabase's own Storage: a bucket that only the service role reaches, since it has no policy.
do $$
begin
  if to_regclass('storage.buckets') is not null then
    insert into storage.buckets (id, name, public) values ('studio-files', 'studio-files', false) on conflict (id) do nothing;
  end if;
end;
$$;
