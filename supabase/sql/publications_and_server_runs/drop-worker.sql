-- Lets other workers have at once what a worker held that is known to be gone: runs, documents that it read, and
-- sources that it reloaded. Gives how many runs there were.
create or replace function private.studio_drop_worker(p_worker text) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  dropped integer;
begin
  update public.studio_runs as runs set lease_until = now() - interval '1 millisecond'
  where runs.worker = p_worker and runs.status = 'running' and runs.source <> 'editor';
  get diagnostics dropped = row_count;
  update public.studio_knowledge_documents as documents set upload_due = now(), upload_worker = null
  where documents.upload_worker = p_worker and documents.upload is not null;
  update public.studio_knowledge_sources as sources set due_at = now(), turn = null, worker = null where sources.worker = p_worker;
  delete from private.studio_workers as workers where workers.id = p_worker;
  if dropped > 0 then
    perform private.studio_wake_workers();
  end if;
  return dropped;
end;
$$;

select private.studio_grant_calls('private.studio_drop_worker(text)', 'studio_worker');
