-- Whether an API key may send p_bytes of a document, which count among what it sends in a day (UTC) unless p_counts is false: null, or
-- { problem: 'spent', retryAfter } once one of its spending caps is reached, or { problem: 'share', sender, unit, retryAfter } beyond half of
-- what its owner may store. The owner is told when four fifths of that are sent.
create or replace function public.studio_take_key_upload(p_key_id uuid, p_bytes bigint, p_counts boolean default true) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  tomorrow constant timestamp := today + 1;
  next_month constant timestamp := date_trunc('month', today::timestamp) + interval '1 month';
  share constant bigint := (select quotas.most / 2 from private.studio_quotas as quotas where quotas.kind = 'bytes');
  cap constant text := private.studio_key_cap(p_key_id, 0);
  sent bigint;
  sender record;
begin
  if cap is not null then
    return jsonb_build_object('problem', 'spent', 'retryAfter', ceil(extract(epoch from
      (case when cap = 'keyDay' then tomorrow else next_month end) at time zone 'utc' - now())));
  end if;
  if p_counts then
    insert into private.studio_key_spending as used (key_id, day) values (p_key_id, today)
    on conflict (key_id, day) do update set bytes = used.bytes;
  end if;
  select coalesce(max(used.bytes), 0) + p_bytes into sent
  from private.studio_key_spending as used where used.key_id = p_key_id and used.day = today;
  if sent > share then
    return jsonb_build_object('problem', 'share', 'sender', 'key', 'unit', 'bytes',
      'retryAfter', ceil(extract(epoch from tomorrow at time zone 'utc' - now())));
  end if;
  if not p_counts then
    return null;
  end if;
  update private.studio_key_spending as used set bytes = sent where used.key_id = p_key_id and used.day = today;
  if sent >= 0.8 * share and sent - p_bytes < 0.8 * share then
    select keys.owner, keys.name into sender from public.studio_api_keys as keys where keys.id = p_key_id;
    perform private.studio_tell_owner(sender.owner, 'documents ' || p_key_id || ' ' || today, jsonb_build_object(
      'kind', 'share-near', 'sender', 'key', 'bytes', sent, 'of', share,
      'message', format('The API key “%s” has sent four fifths of the documents that one key may send today.', sender.name)));
  end if;
  return null;
end;
$$;

select private.studio_grant_calls('public.studio_take_key_upload(uuid, bigint, boolean)', 'service_role');
