-- Goes on deleting accounts, each for about p_ms milliseconds, where no worker does: for pg_cron. Gives how many are gone.
create or replace function private.studio_delete_accounts(p_ms integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  due record;
  gone integer := 0;
begin
  for due in select * from private.studio_due_owners('deletions', null, 100) loop
    begin
      if private.studio_delete_owner_part(due.owner, p_ms) then
        gone := gone + 1;
      end if;
    exception when others then
      perform private.studio_note_chore('deletions', due.owner, sqlstate, sqlerrm);
    end;
  end loop;
  return gone;
end;
$$;

select private.studio_grant_calls('private.studio_delete_accounts(integer)');
