import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestStack, type TestStack } from "../../../../supabase/local/testing/start-stack.ts";
import { newDocument } from "../../../engine/document/new-document.ts";
import { type CountedPage, type PageRequest, ServiceError } from "../../../services/services.ts";
import { createAuthService } from "../../account/storage/auth-service.ts";
import { createFunctionClient } from "./function-client.ts";
import { createKnowledgeRepository } from "../../knowledge/storage/knowledge-repository.ts";
import { createCredentialRepository } from "../../credential/storage/credential-repository.ts";
import { createMemoryRepository } from "../../conversation/storage/memory-repository.ts";
import { createRunRepository } from "../../run/storage/run-repository.ts";
import { createVersionRepository } from "../../document/storage/version-repository.ts";
import { createSupabaseClient } from "./supabase-client.ts";
import { createTabMemory } from "../../conversation/storage/tab-memory.ts";
import { createWorkflowRepository } from "../../document/storage/workflow-repository.ts";

/** More than PostgREST hands out at once, here and hosted. */
const many = 1_100;

let stack: TestStack;
let alice: Awaited<ReturnType<typeof newUser>>;

async function newUser() {
  const config = { supabaseUrl: stack.url, supabaseKey: stack.key, embedded: true };
  const client = createSupabaseClient(config, { persistSession: false });
  const auth = createAuthService(client, null);
  const { id } = await auth.enterAsGuest();
  const callFunction = createFunctionClient({
    functionsUrl: `${stack.url}/functions/v1`,
    publishableKey: stack.key,
    accessToken: client.accessToken,
  });
  const workflows = createWorkflowRepository(client);
  const workflow = await workflows.create(newDocument(randomUUID(), "Main"));
  return {
    id,
    workflowId: workflow.id,
    workflows,
    versions: createVersionRepository(client),
    runs: createRunRepository(client),
    credentials: createCredentialRepository(client),
    knowledge: createKnowledgeRepository(client.database),
    memory: createMemoryRepository({ client, tab: createTabMemory(auth), callFunction }),
  };
}

/** Inserts `many` rows at once as the database's superuser; `$1` is the owner, `n` the number of the row. */
const plant = (insert: string, ...parameters: unknown[]) =>
  stack.sql(`${insert} from generate_series(1, ${many}) as n`, [alice.id, ...parameters]);

/** All rows of a list, page by page, as a person who scrolls to the end reads them. */
async function readThrough<Row>(
  page: (request: PageRequest) => Promise<CountedPage<Row>>,
  limit = 200,
): Promise<Row[]> {
  const all: Row[] = [];
  for (let after: PageRequest["after"]; ;) {
    const read = await page({ limit, ...(after === undefined ? {} : { after }) });
    expect(read.total).toBe(all.length === 0 ? read.total : Math.max(read.total, all.length + read.rows.length));
    all.push(...read.rows);
    if (read.next === null) {
      expect(all).toHaveLength(read.total);
      return all;
    }
    expect(read.rows).toHaveLength(limit);
    after = read.next;
  }
}

const unique = (rows: readonly { id: string }[]) => new Set(rows.map(({ id }) => id)).size;

beforeAll(async () => {
  stack = await startTestStack();
  alice = await newUser();
});
afterAll(() => stack.stop());

describe("a list of 1,100", () => {
  it("workflows shows each once in every order, and finds and counts them all", async () => {
    await plant(
      `insert into public.studio_workflows (owner, name, document, created_at)
       select $1, 'Flow ' || n, jsonb_build_object('schemaVersion', 1), now()`,
    );
    const { workflows } = alice;
    for (const order of ["edited", "created", "name"] as const) {
      const read = await readThrough((request) => workflows.page({ ...request, order }));
      expect([read.length, unique(read)]).toEqual([many + 1, many + 1]);
    }
    const byName = await readThrough((request) => workflows.page({ ...request, order: "name" }));
    expect(byName.slice(0, 3).map(({ name }) => name)).toEqual(["Flow 1", "Flow 2", "Flow 3"]);
    expect(byName.at(-2)?.name).toBe("Flow 1100");
    expect(await workflows.list()).toHaveLength(many + 1);
    const found = await workflows.page({ search: " 1100  FLÖW ", order: "edited", limit: 10 });
    expect(found).toMatchObject({ rows: [{ name: "Flow 1100" }], total: 1, next: null });
    expect((await workflows.page({ search: "flow %", order: "edited", limit: 10 })).total).toBe(0);
    expect((await workflows.page({ search: "\\ _", order: "edited", limit: 10 })).total).toBe(0);
    expect(await workflows.page({ search: "no such", order: "edited", limit: 10 })).toEqual({
      rows: [],
      total: 0,
      next: null,
    });
  });

  it("workflows stays whole while one that was read is edited and one is deleted", async () => {
    const { workflows } = alice;
    const first = await workflows.page({ order: "name", limit: 500 });
    await workflows.remove(first.rows[3]?.id ?? "");
    const second = await workflows.page({ order: "name", limit: 500, after: first.next });
    const third = await workflows.page({ order: "name", limit: 500, after: second.next });
    expect(unique([...first.rows, ...second.rows, ...third.rows])).toBe(many + 1);
    await workflows.restore(first.rows[3]?.id ?? "");
  });

  it("credentials pages by name, and is narrowed by type, by words and by id", async () => {
    await plant(
      `insert into public.studio_credentials (owner, name, type, key_version)
       select $1, 'Key ' || n, case when n % 2 = 0 then 'openai' else 'anthropic' end, 1`,
    );
    const { credentials } = alice;
    const read = await readThrough(credentials.page);
    expect(unique(read)).toBe(many);
    expect(await credentials.list()).toHaveLength(many);
    const last = read.at(-1);
    expect(last?.name).toBe("Key 1100");
    expect((await credentials.page({ limit: 5, types: ["openai"] })).total).toBe(many / 2);
    const found = await credentials.page({ limit: 5, types: ["openai"], search: "1100" });
    expect(found.rows.map(({ name }) => name)).toEqual(["Key 1100"]);
    expect(await credentials.find(last?.id ?? "")).toEqual(last);
    expect(await credentials.find(randomUUID())).toBeUndefined();
    expect(await credentials.find("of another program")).toBeUndefined();
  });

  it("uses of a credential are counted, the last edited named", async () => {
    const { credentials, workflows, workflowId } = alice;
    const [key, other] = (await credentials.page({ limit: 2 })).rows.map(({ id }) => id);
    await plant(
      `insert into public.studio_workflows (owner, name, document, deleted_at)
       select $1, 'User of a key ' || n, jsonb_build_object('nodes', jsonb_build_object(
         'a', jsonb_build_object('config', jsonb_build_object('credential', $2::text)),
         'b', jsonb_build_object('config', jsonb_build_object('credential', $2::text)),
         'c', jsonb_build_object('title', 'without settings'))), case when n = 1 then now() end`,
      key,
    );
    const uses = await credentials.uses([key ?? "", other ?? ""]);
    expect(uses.get(key ?? "")).toMatchObject({ total: many - 1 });
    expect(uses.get(key ?? "")?.workflows).toHaveLength(10);
    expect(uses.has(other ?? "")).toBe(false);
    expect((await workflows.page({ search: "user key", order: "edited", limit: 1 })).total).toBe(many - 1);
    await stack.sql("delete from public.studio_workflows where owner = $1 and id <> $2 and name like 'User%'", [
      alice.id,
      workflowId,
    ]);
  });

  it("versions pages, the latest first", async () => {
    const { versions, workflowId } = alice;
    await plant(
      `insert into public.studio_workflow_versions (owner, workflow_id, name, reason, revision, document)
       select $1, $2, 'Version ' || n, 'manual', n, '{}'`,
      workflowId,
    );
    const first = await versions.page(workflowId, { limit: 200 });
    const all = [...first.rows];
    for (let after = first.next; after !== null;) {
      const page = await versions.page(workflowId, { limit: 200, after });
      all.push(...page.rows);
      after = page.next;
    }
    expect(all.map(({ revision }) => revision)).toEqual(Array.from({ length: many }, (_, index) => many - index));
  });

  it("conversations pages, the latest used first, scratchpads and summaries counted in", async () => {
    const { memory, workflowId } = alice;
    const say = `insert into public.studio_agent_memory (owner, workflow_id, session_id, role, content, message)
      select $1, $2, 'chat ' || n`;
    const message = `'user', 'Hi', jsonb_build_object('role', 'user', 'parts', '[]'::jsonb)`;
    await plant(`${say}, ${message}`, workflowId);
    await plant(`${say} || ':scratchpad', ${message}`, workflowId);
    await plant(
      `insert into public.studio_agent_memory (owner, session_id, role, content, message)
       select $1, 'shared ' || n, ${message}`,
    );
    const place = { storage: "postgres" } as const;
    const own = await readThrough((request) => memory.conversations(place, workflowId, { ...request, ownOnly: true }));
    expect(new Set(own.map(({ sessionId }) => sessionId)).size).toBe(many);
    expect(own[0]).toMatchObject({ sessionId: "chat 1100", workflowId, messages: 1, notes: true, summarised: false });
    expect(own.at(-1)?.sessionId).toBe("chat 1");
    const all = await memory.conversations(place, workflowId, { limit: 1 });
    expect(all).toMatchObject({
      total: 2 * many,
      rows: [{ sessionId: "shared 1100", workflowId: null, notes: false }],
    });
    expect(all.rows[0]?.bytes).toBe('{"role": "user", "parts": []}'.length);
    const found = await memory.conversations(place, workflowId, { limit: 9, search: "chat 1100" });
    expect(found.rows.map(({ sessionId }) => sessionId)).toEqual(["chat 1100"]);
    expect((await memory.conversations(place, randomUUID(), { limit: 1, ownOnly: true })).total).toBe(0);
  });

  it("messages are all read", async () => {
    const { memory, workflowId } = alice;
    await plant(
      `insert into public.studio_agent_memory (owner, workflow_id, session_id, role, content, message)
       select $1, $2, 'long', 'user', n::text,
         jsonb_build_object('role', 'user', 'parts', jsonb_build_array(jsonb_build_object('type', 'text', 'text', n::text)))`,
      workflowId,
    );
    const messages = await memory.messages(workflowId, "long");
    expect(messages).toHaveLength(many);
    expect(messages.at(-1)).toMatchObject({ parts: [{ text: "1100" }] });
  });

  it("collections, documents and chunks pages, counts and finds", async () => {
    const { knowledge } = alice;
    await plant(`insert into public.studio_knowledge_collections (owner, name) select $1, 'Shelf ' || n`);
    const shelves = await readThrough(knowledge.collectionPage);
    expect(unique(shelves)).toBe(many);
    expect(shelves.at(-1)?.name).toBe("Shelf 1100");
    const last = shelves.at(-1)?.id ?? "";
    expect((await knowledge.collectionPage({ limit: 3, search: "shelf 1100" })).rows.map(({ id }) => id)).toEqual([
      last,
    ]);
    expect((await knowledge.collections({ ids: [last, "lost", randomUUID()] })).map(({ id }) => id)).toEqual([last]);
    expect(await knowledge.collections()).toHaveLength(many);
    expect((await knowledge.collection(last)).name).toBe("Shelf 1100");
    await expect(knowledge.collection("nonsense")).rejects.toBeInstanceOf(ServiceError);

    await plant(
      `insert into public.studio_knowledge_documents (owner, collection_id, name, kind, content_hash, status, chunks)
       select $1, $2, 'Page ' || n, 'text', 'hash-' || n, 'pending', 1`,
      last,
    );
    const documents = await readThrough((request) => knowledge.documentPage(last, request));
    expect(unique(documents)).toBe(many);
    expect(await knowledge.documents(last)).toHaveLength(many);
    expect(await knowledge.collection(last)).toMatchObject({ documents: many, chunks: many });
    expect(await knowledge.pendingDocuments(last)).toHaveLength(many);
    const found = await knowledge.documentPage(last, { limit: 4, search: "page 1100" });
    expect(found.rows.map(({ name }) => name)).toEqual(["Page 1100"]);

    const documentId = found.rows[0]?.id ?? "";
    await plant(
      `insert into public.studio_knowledge_chunks (owner, collection_id, document_id, position, content, content_hash)
       select $1, $2, $3, n - 1, 'Chunk ' || n, 'chunk-' || n`,
      last,
      documentId,
    );
    expect(await knowledge.storedChunks(documentId)).toHaveLength(many);
    const end = await knowledge.chunks(documentId, { from: 1_000, limit: 500 });
    expect(end.map(({ position }) => position)).toEqual(Array.from({ length: 100 }, (_, index) => 1_000 + index));
  });

  it("runs pages, and what they cost adds up along every axis", async () => {
    const { runs, workflowId } = alice;
    const seeded = 5_000;
    await stack.sql(
      `insert into public.studio_runs (owner, workflow_id, status, started_at, ended_at, usage)
       select $1, case when n % 3 = 0 then $2::uuid else workflows.ids[1 + n % 1100] end, 'completed',
         timestamptz '2026-01-01 12:00Z' + (n % 90) * interval '1 day', now(),
         jsonb_build_array(jsonb_build_object('provider', 'p' || n % 2, 'model', 'm' || n % 700, 'calls', 1,
           'inputTokens', 10, 'outputTokens', 1, 'costUsd', case when n % 10 = 0 then null else 0.01 end))
       from generate_series(1, ${seeded}) as n,
         (select array_agg(id order by id) as ids from public.studio_workflows where owner = $1) as workflows`,
      [alice.id, workflowId],
    );
    const costs = await runs.costs({
      from: "2026-01-01T00:00:00Z",
      to: "2026-04-01T00:00:00Z",
      timeZone: "UTC",
      most: 100,
    });
    const priced = seeded * 0.9;
    expect(costs.total).toMatchObject({
      runs: seeded,
      calls: seeded,
      unpricedCalls: seeded - priced,
      inputTokens: 50_000,
    });
    expect(costs.total.costUsd).toBeCloseTo(priced / 100, 6);
    for (const axis of [costs.days, costs.workflows, costs.models]) {
      expect(axis.reduce((sum, row) => sum + row.calls, 0)).toBe(seeded);
      expect(axis.reduce((sum, row) => sum + row.costUsd, 0)).toBeCloseTo(priced / 100, 6);
    }
    expect(costs.days).toHaveLength(90);
    expect(costs.days.at(-1)).toMatchObject({ key: "2026-03-31", runs: 55 });
    expect(costs.days.reduce((sum, row) => sum + row.runs, 0)).toBe(seeded);
    expect(costs.workflows).toHaveLength(101);
    expect(costs.workflows[0]).toMatchObject({ key: workflowId, name: "Main", merged: 1 });
    expect(costs.workflows.at(-1)).toMatchObject({ key: null });
    expect(costs.workflows.reduce((sum, row) => sum + row.runs, 0)).toBe(seeded);
    expect(costs.models).toHaveLength(101);
    expect(costs.models.reduce((sum, row) => sum + row.merged, 0)).toBe(700);

    const seen = new Set<string>();
    for (let after: Parameters<typeof runs.page>[2]; ;) {
      const page = await runs.page({}, 900, after);
      for (const { id } of page.runs) seen.add(id);
      if (page.next === null) break;
      after = page.next;
    }
    expect(seen.size).toBe(seeded);
  });

  it("shows nothing of it to another account", async () => {
    const bob = await newUser();
    expect((await bob.workflows.page({ order: "edited", limit: 5 })).total).toBe(1);
    expect((await bob.credentials.page({ limit: 5 })).total).toBe(0);
    expect((await bob.knowledge.collectionPage({ limit: 5 })).total).toBe(0);
    const mine = (await alice.credentials.page({ limit: 1 })).rows[0]?.id ?? "";
    expect(await bob.credentials.find(mine)).toBeUndefined();
    const place = { storage: "postgres" } as const;
    expect((await bob.memory.conversations(place, alice.workflowId, { limit: 5 })).total).toBe(0);
    const shelf = (await alice.knowledge.collectionPage({ limit: 1 })).rows[0]?.id ?? "";
    expect((await bob.knowledge.documentPage(shelf, { limit: 5 })).total).toBe(0);
    const range = { from: "2026-01-01T00:00:00Z", to: "2026-04-01T00:00:00Z", timeZone: "UTC", most: 9 };
    expect(await bob.runs.costs(range)).toMatchObject({
      total: { runs: 0, calls: 0, costUsd: 0 },
      workflows: [],
      days: [],
    });
  });
});
