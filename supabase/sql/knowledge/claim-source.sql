-- Takes the source of an owner that has been due longest, for a while, and begins a reload where none is under way; null where none is due.
-- Until its turn ends, this worker alone acts for the owner. p_free: providers of vectors that cost nothing. Where another one makes them, reloads only count until the owner has accepted the cost.
create or replace function private.studio_claim_source(p_worker text, p_owner uuid, p_free jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  claimed public.studio_knowledge_sources%rowtype;
  provider text;
begin
  perform private.studio_limit_waiting();
  perform set_config('studio.moves_on', 'yes', true);
  select due.* into claimed from public.studio_knowledge_sources as due
  join public.studio_knowledge_collections as collections on collections.id = due.collection_id and collections.deleted_at is null
  where due.owner = p_owner and due.due_at <= now()
  order by due.due_at, due.id limit 1 for update of due skip locked;
  if claimed.id is null then
    return null;
  end if;
  if claimed.state <> 'running' then
    select collections.embedding_provider into provider from public.studio_knowledge_collections as collections
    where collections.id = claimed.collection_id;
    update public.studio_knowledge_sources as own
    set state = 'running', run = own.run + 1, started_at = now(), tally = '{}',
      counts = not own.accepted and provider is not null and not p_free ? provider
    where own.id = claimed.id returning own.* into claimed;
    insert into public.studio_knowledge_source_pages as pages (owner, source_id, url, role, depth, run)
    values (p_owner, claimed.id, claimed.url, case when claimed.kind in ('page', 'site') then 'page' else 'list' end, 0, claimed.run)
    on conflict (source_id, owner, url) do update
    set role = excluded.role, depth = 0, run = excluded.run, done = false, gone = false;
  end if;
  update public.studio_knowledge_sources as own set turn = gen_random_uuid(), worker = p_worker, due_at = now() + interval '10 minutes'
  where own.id = claimed.id returning own.* into claimed;
  return jsonb_build_object('id', claimed.id, 'turn', claimed.turn, 'collection', claimed.collection_id, 'kind', claimed.kind,
    'url', claimed.url, 'depth', claimed.depth, 'include', claimed.include, 'exclude', claimed.exclude,
    'maxTokens', claimed.max_tokens, 'counts', claimed.counts, 'seconds', extract(epoch from now() - claimed.started_at),
    'tokens', coalesce((claimed.tally ->> 'tokens')::bigint, 0), 'bytes', coalesce((claimed.tally ->> 'bytes')::bigint, 0));
end;
$$;

select private.studio_grant_calls('private.studio_claim_source(text, uuid, jsonb)', 'studio_worker');
