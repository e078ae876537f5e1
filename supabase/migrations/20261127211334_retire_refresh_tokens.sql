-- Subject: accounts
set check_function_bodies = off;

-- Whether a refresh token may be exchanged. One that was exchanged more than ten seconds ago is in two hands, unless its successor is
-- unused: then an answer was lost on its way. In two hands, its whole session ends. A token that is unknown is for the auth API to
-- judge.
create or replace function public.studio_retire_refresh_token(p_token text) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  of_session text;
begin
  select tokens.session_id::text into of_session from auth.refresh_tokens as tokens
  where tokens.token = p_token and tokens.revoked and tokens.updated_at < now() - interval '10 seconds'
    and not exists (
      select from auth.refresh_tokens as successors where successors.parent = p_token and not successors.revoked
    );
  if not found then
    return true;
  end if;
  delete from auth.refresh_tokens where session_id::text = of_session or token = p_token;
  delete from auth.sessions where id::text = of_session;
  return false;
end;
$$;

select private.studio_grant_calls('public.studio_retire_refresh_token(text)', 'service_role');
