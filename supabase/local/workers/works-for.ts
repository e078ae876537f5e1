import type { DatabaseClient } from "../database/database-client.ts";

type Client = Pick<DatabaseClient, "query">;

/** Whether a worker runs something for an account, has a failure or traces sent for it, reads a document that was sent to it, or reloads a source. */
export async function worksFor(client: Client, worker: string, owner: string): Promise<boolean> {
  const { rows } = await client.query(
    `select from public.studio_runs where worker = $1 and status = 'running' and owner = $2::uuid
     union all
     select from private.studio_notices where worker = $1 and next_at > now() and owner = $2::uuid
     union all
     select from private.studio_trace_exports where worker = $1 and next_at > now() and owner = $2::uuid
     union all
     select from public.studio_knowledge_documents
     where upload_worker = $1 and upload is not null and upload_due > now() and owner = $2::uuid
     union all
     select from public.studio_knowledge_sources where worker = $1 and due_at > now() and owner = $2::uuid limit 1`,
    [worker, owner],
  );
  return rows.length > 0;
}

/** Where nobody else holds this database: what its former workers had is free. */
export async function freeFormerWorkers(client: Client, prefix: string): Promise<void> {
  await client.query(
    `select private.studio_drop_worker(worker)
     from (select worker from public.studio_runs
           where status = 'running' and worker like $1 || '-%' and source <> 'editor'
           union
           select upload_worker from public.studio_knowledge_documents
           where upload is not null and upload_worker like $1 || '-%'
           union
           select worker from public.studio_knowledge_sources where worker like $1 || '-%') as former (worker)`,
    [prefix],
  );
}
