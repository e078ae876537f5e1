-- Ends a session, and with it those of the same browser.
create or replace function public.studio_chat_leave(p_workflow_id uuid, p_hash text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.studio_chat_sessions as gone
  where gone.workflow_id = p_workflow_id and (
    gone.hash = p_hash
    or gone.browser_hash = (select own.browser_hash from private.studio_chat_sessions as own where own.hash = p_hash)
  );
end;
$$;

select private.studio_grant_calls('public.studio_chat_leave(uuid, text)', 'service_role');
