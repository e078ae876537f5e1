-- Runs as its owner, since clients may not write a suite's revision. The rows are those that the caller has just changed.
create or replace function private.studio_count_case_revision() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.studio_suites set revision = revision + 1, updated_at = now()
  where id in (select changed.suite_id from changed);
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_count_case_revision()');
