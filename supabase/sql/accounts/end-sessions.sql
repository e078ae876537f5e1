create or replace function private.studio_end_sessions(p_user uuid, p_except uuid) returns void
language sql volatile set search_path = ''
as $$
  delete from auth.refresh_tokens
  where user_id::text = p_user::text and session_id::text is distinct from p_except::text;
  delete from auth.sessions where user_id = p_user and id is distinct from p_except;
$$;

select private.studio_grant_calls('private.studio_end_sessions(uuid, uuid)');
