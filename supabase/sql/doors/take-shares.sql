-- Counts p_messages, one or none, of p_bytes for each of their senders, or says why not and counts none: null, or { problem: 'share', sender,
-- unit, retryAfter }. p_senders: [{ kind, name, messages, bytes }] with what each may send in a day. The caller holds the lock of
-- the publication's starts.
create or replace function private.studio_take_shares(p_workflow_id uuid, p_owner uuid, p_senders jsonb, p_bytes bigint, p_messages integer default 1) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  tomorrow constant integer := ceil(extract(epoch from (today + 1)::timestamp at time zone 'utc' - now()));
  share record;
  used record;
  who text;
begin
  for share in
    select given.kind, given.kind || ' ' || given.name as name, given.name as bare, given.messages, given.bytes
    from jsonb_to_recordset(p_senders) as given (kind text, name text, messages bigint, bytes bigint)
  loop
    select coalesce(sum(days.messages) filter (where days.workflow_id = p_workflow_id), 0) as messages,
      coalesce(sum(days.bytes), 0) as bytes
    into used
    from private.studio_sender_days as days
    where days.owner = p_owner and days.sender = share.name and days.day = today;
    if used.messages + p_messages > share.messages or used.bytes + p_bytes > share.bytes then
      return jsonb_build_object(
        'problem', 'share', 'sender', share.kind, 'retryAfter', tomorrow,
        'unit', case when used.messages + p_messages > share.messages then 'messages' else 'bytes' end);
    end if;
  end loop;
  for share in
    select given.kind, given.kind || ' ' || given.name as name, given.name as bare, given.messages, given.bytes
    from jsonb_to_recordset(p_senders) as given (kind text, name text, messages bigint, bytes bigint)
  loop
    insert into private.studio_sender_days as days (owner, sender, day, workflow_id, messages, bytes)
    values (p_owner, share.name, today, p_workflow_id, p_messages, p_bytes)
    on conflict (owner, sender, day, workflow_id) do update set
      messages = days.messages + excluded.messages, bytes = days.bytes + excluded.bytes;
    select coalesce(sum(days.messages) filter (where days.workflow_id = p_workflow_id), 0) as messages,
      coalesce(sum(days.bytes), 0) as bytes
    into used
    from private.studio_sender_days as days
    where days.owner = p_owner and days.sender = share.name and days.day = today;
    if used.messages < 0.8 * share.messages and used.bytes < 0.8 * share.bytes then
      continue;
    end if;
    who := case share.kind
      when 'key' then coalesce(
        (select format('The API key “%s”', keys.name) from public.studio_api_keys as keys where keys.id::text = share.bare),
        'An API key')
      when 'visitor' then 'One visitor'
      else 'One network' end;
    if used.messages >= 0.8 * share.messages and used.messages - p_messages < 0.8 * share.messages then
      perform private.studio_tell_near(p_workflow_id, 'share ' || today || ' messages ' || md5(share.name), jsonb_build_object(
        'kind', 'share-near', 'message', who || ' has used four fifths of the messages that one sender may send today.',
        'sender', share.kind, 'messages', used.messages, 'of', share.messages));
    end if;
    if used.bytes >= 0.8 * share.bytes and used.bytes - p_bytes < 0.8 * share.bytes then
      perform private.studio_tell_near(p_workflow_id, 'share ' || today || ' bytes ' || md5(share.name), jsonb_build_object(
        'kind', 'share-near', 'message', who || ' has used four fifths of the data that one sender may send today.',
        'sender', share.kind, 'bytes', used.bytes, 'of', share.bytes));
    end if;
  end loop;
  delete from private.studio_sender_days as old
  where old.ctid in (
    select oldest.ctid from private.studio_sender_days as oldest
    where oldest.day < today order by oldest.day limit 20 for update skip locked
  );
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_take_shares(uuid, uuid, jsonb, bigint, integer)');
