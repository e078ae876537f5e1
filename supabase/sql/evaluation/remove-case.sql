-- Deletes a case of the caller; one that a version has stays out of sight.
create or replace function public.studio_remove_case(p_case_id uuid) returns void
language plpgsql security invoker set search_path = ''
as $$
begin
  update public.studio_cases as cases set removed_at = now()
  where cases.id = p_case_id and cases.removed_at is null and exists (
    select 1 from public.studio_suite_versions as versions
    where versions.suite_id = cases.suite_id
      and versions.cases @> jsonb_build_array(jsonb_build_object('id', p_case_id))
  );
  if not found then
    delete from public.studio_cases as cases where cases.id = p_case_id and cases.removed_at is null;
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_remove_case(uuid)', 'authenticated', 'service_role');
