-- The order of a conversation is that of its ids, and a row draws its id before it is stored. Where the database serves several
-- at once, the messages of two turns that are stored at the same moment would mix. So whoever appends waits for the same
-- account's appends that are under way, before the first id is drawn. Nothing is lost by that: the account's sums in
-- private.studio_usage make them wait for each other anyway, only too late.
create or replace function private.studio_append_in_turn() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('memory ' || coalesce(auth.uid()::text, ''), 0));
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_append_in_turn()');
