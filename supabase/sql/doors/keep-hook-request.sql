-- Keeps a request as the last one of a publication's webhook.
create or replace function public.studio_keep_hook_request(p_workflow_id uuid, p_request jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  of_owner uuid;
begin
  select publications.owner into of_owner from public.studio_publications as publications
  where publications.workflow_id = p_workflow_id;
  if of_owner is null then
    return;
  end if;
  delete from public.studio_hook_requests as old
  where old.owner = of_owner and old.received_at < now() - interval '7 days';
  insert into public.studio_hook_requests as kept (workflow_id, owner, request) values (p_workflow_id, of_owner, p_request)
  on conflict (workflow_id) do update set request = excluded.request, received_at = now();
end;
$$;

select private.studio_grant_calls('public.studio_keep_hook_request(uuid, jsonb)', 'service_role');
