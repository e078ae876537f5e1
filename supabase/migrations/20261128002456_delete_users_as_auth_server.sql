-- A deleted case goes for good with the last version that has it. Runs with rights of its own, since it also fires when the auth
-- server, which may read no table of the studio, deletes a user.
create or replace function public.studio_drop_removed_cases() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.studio_cases as cases
  where cases.removed_at is not null and cases.suite_id in (select removed.suite_id from removed)
    and not exists (
      select 1 from (
        select (one ->> 'id')::uuid as id
        from public.studio_suite_versions as versions, jsonb_array_elements(versions.cases) as one
        where versions.suite_id in (select removed.suite_id from removed)
        offset 0
      ) as held
      where held.id = cases.id
    );
  return null;
end;
$$;

select private.studio_grant_calls('public.studio_drop_removed_cases()', 'service_role');
