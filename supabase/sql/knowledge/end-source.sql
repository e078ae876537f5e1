-- Ends a reload, of which p_error says why it is not complete. Pages that were not found in three reloads in a row leave with their
-- documents; those that a feed no longer lists stay, and so do those that a reload which is not complete has not come to.
create or replace function private.studio_end_source(p_owner uuid, p_source uuid, p_turn uuid, p_error jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  ended public.studio_knowledge_sources%rowtype;
  is_complete boolean;
  removed integer := 0;
begin
  perform private.studio_limit_waiting();
  perform set_config('studio.moves_on', 'yes', true);
  select own.* into ended from public.studio_knowledge_sources as own
  where own.id = p_source and own.owner = p_owner and own.turn = p_turn for update;
  if not found then
    return;
  end if;
  if not ended.counts then
    is_complete := p_error is null and not ended.tally ?| array['cut', 'incomplete'] and ended.kind <> 'feed';
    update public.studio_knowledge_source_pages as pages set missing = pages.missing + 1
    where pages.source_id = p_source and ((pages.run = ended.run and pages.gone) or (pages.run <> ended.run and is_complete));
    with gone as (
      delete from public.studio_knowledge_source_pages as pages where pages.source_id = p_source and pages.missing >= 3
      returning pages.id, pages.document_id
    )
    update public.studio_knowledge_documents as documents set deleted_at = now(), upload = null
    where documents.id in (select gone.document_id from gone) and documents.owner = p_owner and documents.deleted_at is null
      and not exists (
        select from public.studio_knowledge_source_pages as others
        where others.document_id = documents.id and others.id not in (select gone.id from gone));
    get diagnostics removed = row_count;
  end if;
  update public.studio_knowledge_sources as own
  set turn = null, worker = null,
    state = case when own.counts and p_error is null then 'asking' else 'idle' end,
    due_at = case when own.counts and p_error is null then null else now() + make_interval(hours => own.every_hours) end,
    last = own.tally || jsonb_build_object('removed', removed, 'counted', own.counts, 'error', p_error, 'endedAt', now())
  where own.id = p_source;
end;
$$;

select private.studio_grant_calls('private.studio_end_source(uuid, uuid, uuid, jsonb)', 'studio_worker');
