-- A version of a workflow remembers its suites, whoever keeps it. What is too large to be kept is left out.
create or replace function public.studio_remember_suites() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  select coalesce(jsonb_agg(
    jsonb_build_object('id', kept.id, 'name', kept.name, 'version', kept.version, 'revision', kept.revision)
    order by kept.name, kept.id
  ) filter (where kept.version is not null), '[]'::jsonb) into new.suites
  from (
    select suites.id, suites.name, suites.revision, public.studio_keep_suite_version(suites.id) as version
    from public.studio_suites as suites
    where suites.workflow_id = new.workflow_id and suites.owner = new.owner
    limit 500
  ) as kept;
  return new;
end;
$$;

select private.studio_grant_calls('public.studio_remember_suites()', 'service_role');
