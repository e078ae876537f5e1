-- Puts a suite back as it was in a version, recordings included, and keeps how it stood before as a version, whose number it gives.
-- Raises "suite_not_found" and "suite_version_not_found".
create or replace function public.studio_restore_suite_version(p_suite_id uuid, p_version integer) returns integer
language plpgsql security invoker set search_path = ''
as $$
declare
  wanted public.studio_suite_versions%rowtype;
  before integer;
begin
  before := public.studio_keep_suite_version(p_suite_id, p_version);
  select * into wanted from public.studio_suite_versions as versions
  where versions.suite_id = p_suite_id and versions.version = p_version;
  if not found then
    raise exception 'suite_version_not_found' using errcode = 'PT404';
  end if;
  update public.studio_suites as suites set name = wanted.name, settings = wanted.settings where suites.id = p_suite_id;
  -- All of them first: two cases may have swapped their names.
  update public.studio_cases as cases set removed_at = now()
  where cases.suite_id = p_suite_id and cases.removed_at is null;
  insert into public.studio_cases as cases (id, owner, suite_id, name, body)
  select (one ->> 'id')::uuid, wanted.owner, p_suite_id, one ->> 'name', one -> 'body'
  from jsonb_array_elements(wanted.cases) as one
  on conflict (id) do update set name = excluded.name, body = excluded.body, removed_at = null;
  return before;
end;
$$;

select private.studio_grant_calls('public.studio_restore_suite_version(uuid, integer)', 'authenticated', 'service_role');
