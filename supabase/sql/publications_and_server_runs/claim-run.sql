-- What workers of before the queue of admitted runs call: it tells them that they are too old.
create or replace function private.studio_claim_run(
  p_worker text, p_lease_ms integer, p_most_of_owner integer, p_most_lost integer, p_owner uuid default null
) returns table (id uuid)
language plpgsql security definer set search_path = ''
as $$
begin
  raise exception 'The worker % is of an older version than its database. Install the version of the studio there, and start it again.', p_worker
    using errcode = '0A000';
end;
$$;

select private.studio_grant_calls('private.studio_claim_run(text, integer, integer, integer, uuid)', 'studio_worker');
