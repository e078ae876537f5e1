-- Tells the owner of a publication once a month that four fifths of their storage are used.
create or replace function private.studio_tell_full(p_workflow_id uuid, p_owner uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  used bigint;
  allowed bigint;
begin
  select usage.bytes, quotas.most into used, allowed
  from private.studio_usage as usage join private.studio_quotas as quotas on quotas.kind = 'bytes'
  where usage.owner = p_owner;
  if used >= 0.8 * allowed then
    perform private.studio_tell_near(
      p_workflow_id, 'storage ' || to_char(now() at time zone 'utc', 'YYYY-MM'), jsonb_build_object(
        'kind', 'storage-near', 'message', 'Four fifths of your account’s storage are used. When it is full, no more runs start.',
        'bytes', used, 'of', allowed));
  end if;
end;
$$;

select private.studio_grant_calls('private.studio_tell_full(uuid, uuid)');
