-- The keys of files lead to their rows without reading a whole table.
drop index public.studio_files_of_blob;
create index studio_files_of_blob on public.studio_files (blob, owner);

drop index private.studio_file_uses_of_file;
create index studio_file_uses_of_file on private.studio_file_uses (file, owner);

create index studio_file_uses_of_run on private.studio_file_uses (run_id, owner);
