-- Deletes any account, or goes on with it; gives 'deleting' or 'deleted', as above.
create or replace function public.studio_delete_account(p_user uuid) returns text
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_begin_deletion(p_user);
  perform private.studio_delete_part(200, p_user);
  return case when exists (select from auth.users where id = p_user) then 'deleting' else 'deleted' end;
end;
$$;

select private.studio_grant_calls('public.studio_delete_account(uuid)', 'service_role');
