-- Starts a run of the caller's workflow, named by its id or its slug. Raises "not_published".
create or replace function public.studio_start_run(
  p_workflow text, p_target text, p_input jsonb, p_key text default null, p_forked_from jsonb default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  found_id uuid;
begin
  select own.workflow_id into found_id from public.studio_publications as own
  where own.owner = caller and (own.slug = p_workflow or own.workflow_id::text = p_workflow);
  if found_id is null then
    raise exception 'not_published' using errcode = 'PT404';
  end if;
  return private.studio_queue_run(found_id, p_target, p_input, 'manual', p_key, null, p_forked_from);
end;
$$;

select private.studio_grant_calls('public.studio_start_run(text, text, jsonb, text, jsonb)', 'authenticated', 'service_role');
