-- Opens another session of whom a browser's last one was, which ends with that one; false where there is none that holds.
create or replace function public.studio_chat_resume(p_workflow_id uuid, p_browser_hash text, p_access_hash text, p_hash text)
returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.studio_chat_sessions (hash, workflow_id, subject, access_hash, browser_hash, expires_at)
  select p_hash, last.workflow_id, last.subject, last.access_hash, last.browser_hash, last.expires_at
  from private.studio_chat_sessions as last
  where last.browser_hash = p_browser_hash and last.workflow_id = p_workflow_id and last.access_hash = p_access_hash
    and last.expires_at > now()
  order by last.expires_at desc limit 1;
  return found;
end;
$$;

select private.studio_grant_calls('public.studio_chat_resume(uuid, text, text, text)', 'service_role');
