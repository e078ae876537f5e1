-- Begins an evaluation and says what it measures. p_suite_revision is the suite's as it was read. Raises "suite_not_found",
-- "suite_changed" where somebody changed the suite since, and "suite_too_large".
create or replace function public.studio_begin_evaluation(
  p_suite_id uuid, p_digest text, p_suite_revision integer, p_workflow_revision integer, p_published_version integer
) returns jsonb
language plpgsql security invoker set search_path = ''
as $$
declare
  number integer := public.studio_keep_suite_version(p_suite_id);
  made public.studio_evaluations%rowtype;
begin
  if not exists (
    select 1 from public.studio_suites as suites where suites.id = p_suite_id and suites.revision = p_suite_revision
  ) then
    raise exception 'suite_changed' using errcode = 'PT409';
  end if;
  if number is null then
    raise exception 'suite_too_large' using errcode = 'PT413';
  end if;
  insert into public.studio_evaluations
    (owner, suite_id, digest, suite_version, workflow_revision, published_version)
  select suites.owner, p_suite_id, p_digest, number, p_workflow_revision, p_published_version
  from public.studio_suites as suites where suites.id = p_suite_id
  returning * into made;
  return to_jsonb(made);
end;
$$;

select private.studio_grant_calls('public.studio_begin_evaluation(uuid, text, integer, integer, integer)', 'authenticated', 'service_role');
