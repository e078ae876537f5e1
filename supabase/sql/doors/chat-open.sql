create or replace function public.studio_chat_open(
  p_workflow_id uuid, p_subject text, p_hash text, p_access_hash text, p_browser_hash text, p_seconds integer
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.studio_chat_sessions as old
  where old.hash in (
    select ended.hash from private.studio_chat_sessions as ended
    where ended.expires_at < now() order by ended.expires_at limit 20 for update skip locked
  );
  insert into private.studio_chat_sessions (hash, workflow_id, subject, access_hash, browser_hash, expires_at)
  values (p_hash, p_workflow_id, p_subject, p_access_hash, p_browser_hash, now() + make_interval(secs => p_seconds));
end;
$$;

select private.studio_grant_calls('public.studio_chat_open(uuid, text, text, text, text, integer)', 'service_role');
