-- A booking that nobody settled counts as spent, however its run ended: it was lost with its worker, or deleted.
create or replace function private.studio_count_lost_booking() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_count_spending(old.workflow_id, old.api_key_id, old.usd);
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_count_lost_booking()');
