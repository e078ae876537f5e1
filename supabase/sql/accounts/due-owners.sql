-- Owners for whom a chore is due, in the order of their ids, from p_after on; `failing`: it has failed for them the last time.
-- Owners who are set aside are left out.
create or replace function private.studio_due_owners(p_chore text, p_after uuid, p_limit integer)
returns table (owner uuid, failing boolean)
language sql stable security definer set search_path = ''
as $$
  select due.owner, problems.owner is not null
  from (
    select triggers.owner from public.studio_triggers as triggers
    where p_chore = 'schedules' and triggers.enabled and triggers.problem is null
      and (triggers.next_at is null or triggers.next_at <= now())
    union
    select waits.owner from public.studio_run_waits as waits
    where p_chore = 'waits' and waits.decision is null and waits.expires_at <= now()
    union
    select runs.owner from public.studio_runs as runs
    where p_chore in ('claims', 'lost-runs') and runs.status = 'running' and runs.source <> 'editor'
      and runs.lease_until < now()
    union
    select jobs.owner from private.studio_run_jobs as jobs where p_chore = 'claims'
    union
    select checks.owner from private.studio_queue_checks as checks where p_chore = 'claims' and checks.at <= now()
    union
    select runs.owner from public.studio_runs as runs where p_chore = 'queue' and runs.status = 'queued'
    union
    select users.id from auth.users as users
    left join private.studio_pruned as pruned on pruned.owner = users.id
    where p_chore = 'retention' and (pruned.at is null or pruned.at < now() - interval '1 day')
    union
    select notices.owner from private.studio_notices as notices where p_chore = 'notices' and notices.next_at <= now()
    union
    select exports.owner from private.studio_trace_exports as exports where p_chore = 'traces' and exports.next_at <= now()
    union
    select documents.owner from public.studio_knowledge_documents as documents where p_chore = 'reindexing' and documents.stale
    union
    select documents.owner from public.studio_knowledge_documents as documents
    where p_chore = 'uploads' and documents.upload is not null and documents.upload_due <= now() and documents.deleted_at is null
    union
    select sources.owner from public.studio_knowledge_sources as sources
    join public.studio_knowledge_collections as collections on collections.id = sources.collection_id and collections.deleted_at is null
    where p_chore = 'sources' and sources.due_at <= now()
    union
    select deletions.owner from private.studio_deletions as deletions where p_chore = 'deletions'
  ) as due
  left join private.studio_chore_problems as problems on problems.owner = due.owner and problems.chore = p_chore
  where (p_after is null or due.owner > p_after) and not private.studio_is_set_aside(p_chore, due.owner)
    and (p_chore = 'deletions'
      or not exists (select from private.studio_deletions as deletions where deletions.owner = due.owner))
  order by due.owner
  limit p_limit;
$$;

select private.studio_grant_calls('private.studio_due_owners(text, uuid, integer)', 'studio_worker');
