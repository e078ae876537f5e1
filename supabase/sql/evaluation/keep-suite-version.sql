-- Keeps a suite as a version, unless one has this state, and gives its number; null where its cases are too large for that. Of versions
-- that no published workflow names, the last hundred stay, and p_spare. Raises "suite_not_found".
create or replace function public.studio_keep_suite_version(p_suite_id uuid, p_spare integer default null) returns integer
language plpgsql security invoker set search_path = ''
as $$
declare
  suite public.studio_suites%rowtype;
  kept jsonb;
  number integer;
begin
  -- Locked, so that two who keep it at once make one version.
  select * into suite from public.studio_suites as suites where suites.id = p_suite_id for update;
  if not found then
    raise exception 'suite_not_found' using errcode = 'PT404';
  end if;
  select versions.version into number from public.studio_suite_versions as versions
  where versions.suite_id = p_suite_id and versions.revision = suite.revision;
  if found then
    return number;
  end if;
  select coalesce(
    jsonb_agg(
      jsonb_build_object('id', cases.id, 'name', cases.name, 'body', cases.body) order by cases.created_at, cases.name
    ), '[]'::jsonb
  ) into kept
  from public.studio_cases as cases
  where cases.suite_id = p_suite_id and cases.owner = suite.owner and cases.removed_at is null;
  if octet_length(kept::text) > 20971520 then
    return null;
  end if;
  select coalesce(max(versions.version), 0) + 1 into number from public.studio_suite_versions as versions
  where versions.suite_id = p_suite_id;
  insert into public.studio_suite_versions (suite_id, owner, version, revision, name, settings, cases)
  values (p_suite_id, suite.owner, number, suite.revision, suite.name, suite.settings, kept);
  delete from public.studio_suite_versions as versions
  where versions.suite_id = p_suite_id and versions.version <= number - 100 and versions.version is distinct from p_spare
    and not exists (
      select 1 from public.studio_published as published
      where published.workflow_id = suite.workflow_id
        and published.suites @> jsonb_build_array(jsonb_build_object('id', p_suite_id, 'version', versions.version))
    );
  return number;
end;
$$;

select private.studio_grant_calls('public.studio_keep_suite_version(uuid, integer)', 'authenticated', 'service_role');
