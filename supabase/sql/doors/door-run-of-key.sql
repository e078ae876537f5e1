-- The run that an API key of this owner started under an idempotency key; null where there is none.
create or replace function public.studio_door_run_of_key(p_owner uuid, p_api_key_id uuid, p_key text) returns uuid
language sql stable security definer set search_path = ''
as $$
  select runs.id
  from public.studio_publications as publications
  join public.studio_runs as runs on runs.workflow_id = publications.workflow_id and runs.idempotency_key = p_key
  where publications.owner = p_owner and runs.api_key_id = p_api_key_id
  limit 1;
$$;

select private.studio_grant_calls('public.studio_door_run_of_key(uuid, uuid, text)', 'service_role');
