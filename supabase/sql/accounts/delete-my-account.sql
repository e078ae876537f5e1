-- Deletes the caller's account, for whoever has signed in within the last ten minutes: the password was asked for then. A user
-- without one, as a hosted project's guests are, has nothing but the session to show. Gives
--   'sign-in-needed'  the session is older; nothing was done
--   'deleting'        nobody can use the account any more; call again to go on, or leave that to the studio or a worker
--   'deleted'         everything is gone
create or replace function public.studio_delete_my_account() returns text
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  if not exists (select from private.studio_deletions as deletions where deletions.owner = caller) then
    if not exists (select from auth.users as users where users.id = caller) then
      return 'deleted';
    end if;
    if not exists (
      select from auth.sessions as sessions join auth.users as users on users.id = sessions.user_id
      where sessions.user_id = caller and sessions.id::text = auth.jwt() ->> 'session_id'
        and (sessions.created_at > now() - interval '10 minutes' or users.is_anonymous)
    ) then
      return 'sign-in-needed';
    end if;
    perform private.studio_begin_deletion(caller);
  end if;
  return case when private.studio_delete_part(200, caller) then 'deleted' else 'deleting' end;
end;
$$;

select private.studio_grant_calls('public.studio_delete_my_account()', 'authenticated', 'service_role');
