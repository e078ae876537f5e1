-- Notes what became of a page in a reload, and queues what it leads to. p_note: { outcome, error, tokens, bytes, costUsd, next, incomplete,
-- kept }, where `outcome` is added, changed, unchanged, gone, failed or listed, `next` a list of { url, role, depth }, `incomplete` says that
-- more could not be found, and `kept` what is known of the page from now on: { etag, lastModified, hash, links, document }; null where it
-- stays. False where another turn has begun.
create or replace function private.studio_note_source_page(p_owner uuid, p_source uuid, p_turn uuid, p_page uuid, p_note jsonb)
returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  noted public.studio_knowledge_sources%rowtype;
  outcome constant text := p_note ->> 'outcome';
  kept constant jsonb := nullif(p_note -> 'kept', 'null');
  is_cut boolean;
begin
  perform private.studio_limit_waiting();
  perform set_config('studio.moves_on', 'yes', true);
  select own.* into noted from public.studio_knowledge_sources as own
  where own.id = p_source and own.owner = p_owner and own.turn = p_turn for update;
  if not found then
    return false;
  end if;
  update public.studio_knowledge_source_pages as pages
  set done = true, gone = outcome = 'gone', error = nullif(p_note -> 'error', 'null'),
    missing = case when outcome in ('added', 'changed', 'unchanged', 'listed') then 0 else pages.missing end,
    etag = case when kept is null then pages.etag else kept ->> 'etag' end,
    last_modified = case when kept is null then pages.last_modified else kept ->> 'lastModified' end,
    body_hash = case when kept is null then pages.body_hash else kept ->> 'hash' end,
    links = case when kept is null then pages.links else coalesce(kept -> 'links', '[]') end,
    document_id = case when kept is null then pages.document_id else (
      select documents.id from public.studio_knowledge_documents as documents
      where documents.id = (kept ->> 'document')::uuid and documents.owner = p_owner) end
  where pages.id = p_page and pages.source_id = p_source;

  with given as (
    select next.url, next.role, next.depth, next.place,
      row_number() over (partition by next.role order by next.place) + (
        select count(*) from public.studio_knowledge_source_pages as queued
        where queued.source_id = p_source and queued.run = noted.run and queued.role = next.role) as number
    from (
      select distinct on (one.url) one.*
      from rows from (jsonb_to_recordset(coalesce(nullif(p_note -> 'next', 'null'), '[]')) as (url text, role text, depth integer))
        with ordinality as one (url, role, depth, place)
      order by one.url, one.place
    ) as next
    where not exists (
      select from public.studio_knowledge_source_pages as known
      where known.source_id = p_source and known.owner = p_owner and known.url = next.url and known.run = noted.run)
  ), added as (
    insert into public.studio_knowledge_source_pages as pages (owner, source_id, url, role, depth, run)
    select p_owner, p_source, given.url, given.role, given.depth, noted.run
    from given where given.number <= case given.role when 'page' then noted.max_pages else 200 end
    order by given.place
    on conflict (source_id, owner, url) do update
    set role = excluded.role, depth = excluded.depth, run = excluded.run, done = false, gone = false
    returning pages.id
  )
  select (select count(*) from given) > (select count(*) from added) into is_cut;

  update public.studio_knowledge_sources as own
  set due_at = now() + interval '10 minutes',
    tally = own.tally || jsonb_build_object(
      outcome, coalesce((own.tally ->> outcome)::integer, 0) + 1,
      'tokens', coalesce((own.tally ->> 'tokens')::bigint, 0) + (p_note ->> 'tokens')::bigint,
      'bytes', coalesce((own.tally ->> 'bytes')::bigint, 0) + (p_note ->> 'bytes')::bigint,
      'costUsd', case when own.tally ? 'costUsd' then (own.tally ->> 'costUsd')::double precision else 0 end
        + (p_note ->> 'costUsd')::double precision)
      || case when is_cut then '{"cut": true}'::jsonb else '{}' end
      || case when (p_note ->> 'incomplete')::boolean then '{"incomplete": true}'::jsonb else '{}' end
  where own.id = p_source;
  return true;
end;
$$;

select private.studio_grant_calls('private.studio_note_source_page(uuid, uuid, uuid, uuid, jsonb)', 'studio_worker');
