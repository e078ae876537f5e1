-- Stores the secret with which the caller's notices are signed; null deletes it. Raises "not_published".
create or replace function public.studio_set_failure_secret(p_workflow_id uuid, p_secret text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  perform 1 from public.studio_publications as own where own.workflow_id = p_workflow_id and own.owner = caller;
  if not found then
    raise exception 'not_published' using errcode = 'PT404';
  end if;
  if p_secret is null then
    delete from private.studio_failure_secrets as stored where stored.workflow_id = p_workflow_id;
    return;
  end if;
  insert into private.studio_failure_secrets as stored (workflow_id, secret) values (p_workflow_id, p_secret)
  on conflict (workflow_id) do update set secret = excluded.secret;
end;
$$;

select private.studio_grant_calls('public.studio_set_failure_secret(uuid, text)', 'authenticated', 'service_role');
