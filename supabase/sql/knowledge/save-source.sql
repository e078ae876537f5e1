-- Adds a source to a collection of the caller, or changes one: its id; null where there is none. p_source: { kind, url, depth, include,
-- exclude, everyHours, maxPages, maxTokens }. A new one, and one that is to find other pages than before, is loaded at once.
create or replace function public.studio_save_source(p_id uuid, p_collection_id uuid, p_source jsonb) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  given public.studio_knowledge_sources%rowtype;
  known public.studio_knowledge_sources%rowtype;
  is_other boolean;
begin
  if not exists (
    select from public.studio_knowledge_collections as collections
    where collections.id = p_collection_id and collections.owner = caller and collections.deleted_at is null
  ) then
    return null;
  end if;
  given.kind := p_source ->> 'kind';
  given.url := p_source ->> 'url';
  given.depth := (p_source ->> 'depth')::integer;
  given.include := array(select jsonb_array_elements_text(p_source -> 'include'));
  given.exclude := array(select jsonb_array_elements_text(p_source -> 'exclude'));
  given.every_hours := (p_source ->> 'everyHours')::integer;
  given.max_pages := (p_source ->> 'maxPages')::integer;
  given.max_tokens := (p_source ->> 'maxTokens')::bigint;
  if p_id is null then
    insert into public.studio_knowledge_sources as own
      (owner, collection_id, kind, url, depth, include, exclude, every_hours, max_pages, max_tokens, due_at)
    values (caller, p_collection_id, given.kind, given.url, given.depth, given.include, given.exclude, given.every_hours,
      given.max_pages, given.max_tokens, now())
    returning own.id into given.id;
    return given.id;
  end if;
  select own.* into known from public.studio_knowledge_sources as own
  where own.id = p_id and own.owner = caller and own.collection_id = p_collection_id for update;
  if not found then
    return null;
  end if;
  is_other := (known.kind, known.url, known.depth, known.include, known.exclude, known.max_pages)
    is distinct from (given.kind, given.url, given.depth, given.include, given.exclude, given.max_pages);
  if is_other then
    -- What they lead to is read again.
    update public.studio_knowledge_source_pages as pages set etag = null, last_modified = null, body_hash = null
    where pages.source_id = p_id and pages.owner = caller;
  end if;
  update public.studio_knowledge_sources as own
  set kind = given.kind, url = given.url, depth = given.depth, include = given.include, exclude = given.exclude,
    every_hours = given.every_hours, max_pages = given.max_pages, max_tokens = given.max_tokens,
    state = case when is_other then 'idle' else own.state end,
    turn = case when is_other then null else own.turn end,
    due_at = case
      when is_other then now()
      when own.state <> 'idle' or own.last is null then own.due_at
      else (own.last ->> 'endedAt')::timestamptz + make_interval(hours => given.every_hours) end
  where own.id = p_id;
  return p_id;
end;
$$;

select private.studio_grant_calls('public.studio_save_source(uuid, uuid, jsonb)', 'authenticated', 'service_role');
