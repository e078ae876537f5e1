import { createHash, randomUUID } from "node:crypto";
import { buildWorkflow } from "../../src/engine/testing/build-workflow.ts";
import type { ChoreName } from "../chores.ts";

export type RunSql = <Row>(sql: string, parameters?: unknown[]) => Promise<Row[]>;

/** An account with something due for every chore, planted beside the doors. */
export interface DueAccount {
  owner: string;
  /** An account that is being deleted. */
  leaving: string;
  workflow: string;
  /** Asks whether a chore was done. */
  isServed(chore: ChoreName): Promise<boolean>;
}

const document = (id: string) =>
  buildWorkflow({
    id,
    name: "due",
    nodes: { start: ["manual-trigger"], note: ["set-fields", { fields: { did: "it" } }] },
    edges: ["start.main -> note.main"],
  });

/** Gives an account something to do for every chore; `receiver` is the origin of a server that takes notices and traces. */
export async function plantDue(sql: RunSql, owner: string, receiver: string): Promise<DueAccount> {
  const workflow = randomUUID();
  const leaving = randomUUID();
  const runs = {
    waiting: randomUUID(),
    lost: randomUUID(),
    queued: randomUUID(),
    old: randomUUID(),
    traced: randomUUID(),
  };
  const slug = `due-${workflow}`.slice(0, 40);
  const text = JSON.stringify(document(workflow));
  await sql("insert into public.studio_workflows (id, owner, name, document) values ($1, $2, 'Due', $3::text::jsonb)", [
    workflow,
    owner,
    text,
  ]);
  await sql("insert into public.studio_publications (workflow_id, owner, slug, live) values ($1, $2, $3, 1)", [
    workflow,
    owner,
    slug,
  ]);
  await sql(
    `insert into public.studio_published (workflow_id, owner, version, document, hash)
     values ($1, $2, 1, $3::text::jsonb, repeat('0', 64))`,
    [workflow, owner, text],
  );
  await sql(
    `insert into public.studio_triggers (owner, workflow_id, node_id, kind, cron, time_zone, missed, next_at)
     values ($1, $2, 'start', 'schedule', '* * * * *', 'UTC', 'once', now() - interval '1 second')`,
    [owner, workflow],
  );
  const run = (id: string, status: string, columns = "", values = "") =>
    sql(
      `insert into public.studio_runs (id, owner, workflow_id, status, source, published_version, input${columns})
       values ($1, $2, $3, $4, 'api', 1, '{"value": {}}'${values})`,
      [id, owner, workflow, status],
    );
  await run(runs.waiting, "waiting", ", attempt", ", 1");
  await run(runs.lost, "running", ", attempt, lost, lease_until", ", 10, 9, now() - interval '1 minute'");
  await run(runs.queued, "queued", ", queued_at", ", now()");
  await run(runs.traced, "running");
  await run(runs.old, "completed");
  await sql(
    `insert into public.studio_run_waits (run_id, call_id, owner, kind, question, expires_at)
     values ($1, 'call', $2, 'time', '{}', now() - interval '1 second')`,
    [runs.waiting, owner],
  );
  // As it was 100 days ago: a trigger keeps the time of the last change.
  await sql(
    `do $$ begin
       perform set_config('session_replication_role', 'replica', true);
       update public.studio_runs set updated_at = now() - interval '100 days' where id = '${runs.old}';
     end $$`,
  );
  await sql("delete from private.studio_pruned where owner = $1", [owner]);
  await sql(
    "insert into private.studio_failure_secrets (workflow_id, secret) values ($1, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')",
    [workflow],
  );
  await sql(
    `insert into private.studio_notices (owner, workflow_id, key, url, body) values ($1, $2, 'due', $3, '{"kind": "due"}')`,
    [owner, workflow, `${receiver}/notice`],
  );
  await sql("insert into private.studio_collectors (workflow_id, url) values ($1, $2)", [
    workflow,
    `${receiver}/traces`,
  ]);
  await sql(
    `insert into public.studio_run_events (run_id, run_added_at, owner, seq, at, type, event)
     select runs.id, runs.added_at, $2, (one ->> 'seq')::integer, now(), one ->> 'type', one from public.studio_runs as runs, jsonb_array_elements($3::text::jsonb) as one where runs.id = $1`,
    [runs.traced, owner, JSON.stringify(traceEvents(workflow, runs.traced))],
  );
  await sql("update public.studio_runs set status = 'completed', ended_at = now() where id = $1", [runs.traced]);
  const collection = randomUUID();
  await sql("insert into public.studio_knowledge_collections (id, owner, name) values ($1, $2, 'Due')", [
    collection,
    owner,
  ]);
  await sql(
    `insert into public.studio_knowledge_documents (owner, collection_id, name, kind, content_hash, stale)
     values ($1, $2, 'Due', 'text', 'due', true)`,
    [owner, collection],
  );
  const [blob, file] = [randomUUID(), randomUUID()];
  const hash = createHash("sha256").update(blob).digest("hex");
  await sql("insert into private.studio_blobs (id, owner, size, sha256) values ($1, $2, 3, $3)", [blob, owner, hash]);
  await sql(
    `insert into public.studio_files (id, owner, blob, name, media_type, size, sha256)
     values ($1, $2, $3, 'due.txt', 'text/plain', 3, $4)`,
    [file, owner, blob, hash],
  );
  await sql(
    `insert into public.studio_knowledge_documents (owner, collection_id, name, kind, content_hash, file_sha256, upload, upload_due)
     values ($1, $2, 'due.txt', 'text', 'upload', $4, $3, now())`,
    [owner, collection, file, hash],
  );
  await sql(
    "insert into public.studio_knowledge_sources (owner, collection_id, kind, url, due_at) values ($1, $2, 'page', $3, now())",
    [owner, collection, `${receiver}/page`],
  );
  await sql("insert into auth.users (id, email) values ($1, $2)", [leaving, `${leaving}@example.test`]);
  await sql("insert into public.studio_workflows (id, owner, name, document) values ($1, $2, 'Left', '{}')", [
    randomUUID(),
    leaving,
  ]);
  await sql("select private.studio_begin_deletion($1)", [leaving]);

  const is = async (condition: string, ...parameters: unknown[]) =>
    (await sql<{ yes: boolean | null }>(`select (${condition}) as yes`, parameters))[0]?.yes === true;
  const served: Record<ChoreName, () => Promise<boolean>> = {
    schedules: () =>
      is("exists (select from public.studio_runs where workflow_id = $1 and source = 'schedule')", workflow),
    waits: () =>
      is("not exists (select from public.studio_run_waits where run_id = $1 and decision is null)", runs.waiting),
    "lost-runs": () => is("select status = 'failed' from public.studio_runs where id = $1", runs.lost),
    claims: () => is("select status = 'completed' from public.studio_runs where id = $1", runs.queued),
    queue: () => is("select status = 'completed' from public.studio_runs where id = $1", runs.queued),
    retention: () => is("not exists (select from public.studio_runs where id = $1)", runs.old),
    notices: () =>
      is("select next_at is null from private.studio_notices where workflow_id = $1 and key = 'due'", workflow),
    traces: () => is("not exists (select from private.studio_trace_exports where run_id = $1)", runs.traced),
    reindexing: () =>
      is("not exists (select from public.studio_knowledge_documents where collection_id = $1 and stale)", collection),
    // Its bytes were never there, which the document says.
    uploads: () =>
      is(
        "select status = 'failed' and upload is null from public.studio_knowledge_documents where collection_id = $1 and name = 'due.txt'",
        collection,
      ),
    sources: () =>
      is("select last is not null from public.studio_knowledge_sources where collection_id = $1", collection),
    deletions: () => is("not exists (select from auth.users where id = $1)", leaving),
  };
  return { owner, leaving, workflow, isServed: (chore) => served[chore]() };
}

function traceEvents(workflowId: string, runId: string) {
  const usage = { inputTokens: 0, outputTokens: 0 };
  return [
    { type: "run-start", workflowId, workflowName: "Due", input: {} },
    { type: "run-end", outcome: "completed", output: {}, costUsd: 0, durationMs: 1, usage },
  ].map((event, seq) => ({ ...event, runId, seq, at: 1_700_000_000_000 + seq }));
}
