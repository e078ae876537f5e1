-- Adds to what a user has. Raises "quota_exceeded <kind> <used> <most>" when something grows beyond its limit, but while
-- studio.moves_on is 'yes'.
create or replace function private.studio_add_usage(
  p_owner uuid, p_rows bigint, p_bytes bigint, p_events bigint, p_documents bigint, p_uploads bigint
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  total private.studio_usage%rowtype;
  over record;
begin
  update private.studio_usage as usage set
    rows = greatest(0, usage.rows + p_rows),
    bytes = greatest(0, usage.bytes + p_bytes),
    events = greatest(0, usage.events + p_events),
    documents = greatest(0, usage.documents + p_documents),
    uploads = greatest(0, usage.uploads + p_uploads)
  where usage.owner = p_owner
  returning * into total;
  if not found then
    -- Of an account that is being deleted nothing is counted any more.
    if p_bytes <= 0 then
      return;
    end if;
    insert into private.studio_usage as usage (owner, rows, bytes, events, documents, uploads)
    values (p_owner, p_rows, p_bytes, p_events, p_documents, p_uploads)
    on conflict (owner) do update set
      rows = usage.rows + excluded.rows,
      bytes = usage.bytes + excluded.bytes,
      events = usage.events + excluded.events,
      documents = usage.documents + excluded.documents,
      uploads = usage.uploads + excluded.uploads
    returning * into total;
  end if;
  if greatest(p_rows, p_bytes, p_events, p_documents, p_uploads) <= 0
    or current_setting('studio.moves_on', true) = 'yes' then
    return;
  end if;
  select grown.kind, grown.used, quotas.most into over
  from (values
    ('rows', p_rows, total.rows), ('bytes', p_bytes, total.bytes), ('events', p_events, total.events),
    ('documents', p_documents, total.documents), ('uploads', p_uploads, total.uploads)
  ) as grown (kind, growth, used)
  join private.studio_quotas as quotas on quotas.kind = grown.kind
  where grown.growth > 0 and grown.used > quotas.most
  limit 1;
  if found then
    raise exception 'quota_exceeded % % %', over.kind, over.used, over.most;
  end if;
end;
$$;

select private.studio_grant_calls('private.studio_add_usage(uuid, bigint, bigint, bigint, bigint, bigint)');
