-- Changes what a publication may take and who is told when it fails. Raises what limits have to be.
create or replace function public.studio_set_publication(p_workflow_id uuid, p_limits jsonb, p_on_failure jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  perform private.studio_check_limits(p_limits);
  update public.studio_publications as own set
    limits = coalesce(p_limits, '{}'::jsonb), on_failure = p_on_failure, updated_at = now()
  where own.workflow_id = p_workflow_id and own.owner = caller;
  if not found then
    raise exception 'version_not_found' using errcode = 'PT404';
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_set_publication(uuid, jsonb, jsonb)', 'authenticated', 'service_role');
