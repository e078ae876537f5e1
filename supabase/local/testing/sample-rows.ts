import { randomBytes, randomUUID } from "node:crypto";
import type { SignedIn } from "./clients.ts";
import type { SharedStack } from "./shared-stack.ts";

/** What the owner of a row may do through the API. */
interface Rights {
  insert: boolean;
  update: boolean;
  delete: boolean;
}

/** Where rows are planted: straight at a database, past its API. */
type Ground = Pick<SharedStack, "sql">;
type Owner = Pick<SignedIn, "userId">;

/** How to make a row of one table, and what its owner may do with it. */
interface Sample {
  rights: Rights;
  /** A row as a client inserts it, without `owner`; parents are made first. */
  row(stack: Ground, user: Owner): Promise<Record<string, unknown>>;
  /** A harmless change. */
  change: Record<string, unknown>;
}

const everything: Rights = { insert: true, update: true, delete: true };

/**
 * One entry for every table of the public schema. The tenancy tests take the tables from the catalog and fail on one
 * that is not listed here, so that no table is added without deciding who may do what.
 */
const samples: Record<string, Sample> = {
  studio_workflows: {
    rights: everything,
    row: async () => ({ id: randomUUID(), name: "Sample", document: { nodes: {} } }),
    change: { name: "Changed" },
  },
  studio_workflow_versions: {
    rights: everything,
    row: async (stack, user) => ({
      workflow_id: await makeWorkflow(stack, user),
      revision: 1,
      document: { nodes: {} },
    }),
    change: { name: "Changed" },
  },
  studio_runs: {
    rights: everything,
    row: async (stack, user) => ({ id: randomUUID(), workflow_id: await makeWorkflow(stack, user), status: "running" }),
    change: { status: "failed" },
  },
  studio_run_events: {
    rights: { insert: true, update: false, delete: false },
    row: async (stack, user) => {
      const run = await plant(stack, "studio_runs", user);
      return {
        run_id: run.id,
        run_added_at: run.added_at,
        seq: 0,
        at: new Date().toISOString(),
        type: "log",
        event: { text: "Sample" },
      };
    },
    change: { type: "warning" },
  },
  studio_files: {
    rights: { insert: false, update: false, delete: false },
    async row(stack, user) {
      const [id, sha256] = [randomUUID(), randomBytes(32).toString("hex")];
      const blob = "insert into private.studio_blobs (id, owner, size, sha256) values ($1, $2, 5, $3)";
      await stack.sql(blob, [id, user.userId, sha256]);
      return { id: randomUUID(), blob: id, name: "sample.txt", media_type: "text/plain", size: 5, sha256 };
    },
    change: { name: "changed.txt" },
  },
  studio_allowed_values: {
    rights: { insert: false, update: false, delete: true },
    row: async (stack, user) => ({
      id: randomUUID(),
      workflow_id: await makeWorkflow(stack, user),
      node_id: "mail",
      tool_name: "send",
      definition: randomBytes(32).toString("hex"),
      path: ["to"],
      value: "bob@acme.example",
      state: "allowed",
    }),
    change: { value: "mallory@evil.example" },
  },
  studio_shared_runs: {
    rights: { insert: false, update: false, delete: true },
    row: async (stack, user) => ({
      id: randomUUID(),
      run_id: await makeRun(stack, user),
      slug_hash: randomBytes(32).toString("hex"),
      title: "Sample",
      parts: { prompts: false, data: false, files: false },
      snapshot: { version: 1 },
    }),
    change: { title: "Changed" },
  },
  studio_suites: {
    rights: everything,
    row: async (stack, user) => ({ id: randomUUID(), workflow_id: await makeWorkflow(stack, user), name: "Sample" }),
    change: { name: "Changed" },
  },
  studio_cases: {
    rights: everything,
    row: async (stack, user) => ({
      id: randomUUID(),
      suite_id: (await plant(stack, "studio_suites", user)).id,
      name: "sample",
      body: { input: "Hello" },
    }),
    change: { body: { input: "Changed" } },
  },
  studio_suite_versions: {
    // Functions keep versions, with the caller's rights. A version never changes.
    rights: { insert: true, update: false, delete: true },
    row: async (stack, user) => ({
      suite_id: (await plant(stack, "studio_suites", user)).id,
      version: 1,
      revision: 1,
      name: "Sample",
      settings: {},
      cases: [],
    }),
    change: { name: "Changed" },
  },
  studio_evaluations: {
    rights: everything,
    row: async (stack, user) => ({
      id: randomUUID(),
      suite_id: (await plant(stack, "studio_suites", user)).id,
      digest: "sample",
    }),
    change: { status: "passed" },
  },
  studio_trials: {
    rights: everything,
    row: async (stack, user) => ({
      evaluation_id: (await plant(stack, "studio_evaluations", user)).id,
      variant: "as saved",
      case_name: "sample",
      trial: 1,
      result: { status: "passed" },
    }),
    change: { result: { status: "failed" } },
  },
  studio_settings: {
    rights: everything,
    row: async () => ({ name: `sample-${randomUUID()}`, value: { on: true } }),
    change: { value: { on: false } },
  },
  studio_agent_memory: {
    rights: everything,
    row: async (stack, user) => ({
      workflow_id: await makeWorkflow(stack, user),
      session_id: "sample",
      role: "user",
      content: "Hello",
      message: { role: "user" },
    }),
    change: { content: "Changed" },
  },
  studio_memory_conversations: {
    rights: { insert: false, update: false, delete: false },
    row: async (stack, user) => ({
      workflow_id: await makeWorkflow(stack, user),
      session_id: "sample",
      messages: 1,
      bytes: 1,
      last_message: 1,
      last_used_at: new Date().toISOString(),
    }),
    change: { messages: 2 },
  },
  studio_memory_vectors: {
    rights: { insert: true, update: false, delete: true },
    row: async (stack, user) => ({
      message_id: (await plant(stack, "studio_agent_memory", user)).id,
      model: "sample",
      embedding: "[1,0]",
    }),
    change: { model: "changed" },
  },
  studio_knowledge_collections: {
    rights: everything,
    row: async () => ({ id: randomUUID(), name: "Sample" }),
    change: { name: "Changed" },
  },
  studio_knowledge_documents: {
    rights: everything,
    row: async (stack, user) => ({
      id: randomUUID(),
      collection_id: (await plant(stack, "studio_knowledge_collections", user)).id,
      name: "sample.md",
      kind: "markdown",
      content_hash: "sample",
    }),
    change: { status: "ready" },
  },
  studio_knowledge_chunks: {
    rights: everything,
    row: async (stack, user) => {
      const { id, collection_id } = await plant(stack, "studio_knowledge_documents", user);
      return {
        id: randomUUID(),
        collection_id,
        document_id: id,
        position: 0,
        content: "Hello",
        content_hash: "sample",
      };
    },
    change: { position: 1 },
  },
  studio_knowledge_bits: {
    rights: { insert: false, update: false, delete: false },
    row: async (stack, user) => {
      const { id, collection_id, document_id } = await plant(stack, "studio_knowledge_chunks", user);
      return { chunk_id: id, collection_id, document_id, bits: "10" };
    },
    change: { bits: "01" },
  },
  studio_knowledge_sources: {
    // Functions change them, for their owner and for workers.
    rights: { insert: false, update: false, delete: false },
    row: async (stack, user) => ({
      id: randomUUID(),
      collection_id: (await plant(stack, "studio_knowledge_collections", user)).id,
      kind: "page",
      url: "https://sample.example/",
    }),
    change: { url: "https://changed.example/" },
  },
  studio_knowledge_source_pages: {
    rights: { insert: false, update: false, delete: false },
    row: async (stack, user) => ({
      id: randomUUID(),
      source_id: (await plant(stack, "studio_knowledge_sources", user)).id,
      url: "https://sample.example/",
      role: "page",
      depth: 0,
      run: 1,
    }),
    change: { depth: 1 },
  },
  studio_knowledge_questions: {
    rights: everything,
    row: async (stack, user) => ({
      id: randomUUID(),
      collection_id: (await plant(stack, "studio_knowledge_collections", user)).id,
      question: "Sample?",
      passages: [{ document: "sample.md", quote: "Sample." }],
    }),
    change: { question: "Changed?" },
  },
  studio_knowledge_measurements: {
    // A measurement never changes.
    rights: { insert: true, update: false, delete: true },
    row: async (stack, user) => ({
      id: randomUUID(),
      collection_id: (await plant(stack, "studio_knowledge_collections", user)).id,
      result: { questions: 1 },
    }),
    change: { result: { questions: 2 } },
  },
  studio_knowledge_words: {
    rights: { insert: true, update: false, delete: false },
    row: async (stack, user) => ({
      collection_id: (await plant(stack, "studio_knowledge_collections", user)).id,
      word: "sample",
    }),
    change: { word: "changed" },
  },
  studio_publications: {
    rights: { insert: false, update: false, delete: false },
    row: async (stack, user) => ({ workflow_id: await makeWorkflow(stack, user), slug: `sample-${randomUUID()}` }),
    change: { live: 1 },
  },
  studio_published: {
    rights: { insert: false, update: false, delete: false },
    row: async (stack, user) => ({
      workflow_id: (await plant(stack, "studio_publications", user)).workflow_id,
      version: 1,
      document: { nodes: {} },
      hash: "0".repeat(64),
    }),
    change: { note: "Changed" },
  },
  studio_triggers: {
    rights: { insert: false, update: false, delete: false },
    row: async (stack, user) => ({
      workflow_id: (await plant(stack, "studio_publications", user)).workflow_id,
      node_id: "schedule",
      kind: "schedule",
      cron: "0 8 * * *",
      time_zone: "Europe/Berlin",
      missed: "skip",
    }),
    change: { enabled: false },
  },
  studio_run_waits: {
    rights: { insert: false, update: false, delete: false },
    row: async (stack, user) => ({
      run_id: await makeRun(stack, user),
      call_id: "call",
      kind: "approval",
      question: { toolName: "send" },
    }),
    change: { decision: { approved: true } },
  },
  studio_doors: {
    rights: { insert: false, update: false, delete: false },
    row: async (stack, user) => ({
      workflow_id: (await plant(stack, "studio_publications", user)).workflow_id,
      kind: "api",
    }),
    change: { enabled: true },
  },
  studio_hook_requests: {
    rights: { insert: false, update: false, delete: false },
    row: async (stack, user) => ({
      workflow_id: (await plant(stack, "studio_publications", user)).workflow_id,
      request: { method: "POST" },
    }),
    change: { request: {} },
  },
  studio_chat_threads: {
    rights: { insert: false, update: false, delete: false },
    row: async (stack, user) => ({
      workflow_id: (await plant(stack, "studio_publications", user)).workflow_id,
      subject: "visitor sample",
      title: "Sample",
    }),
    change: { title: "Changed" },
  },
  studio_chat_turns: {
    rights: { insert: false, update: false, delete: false },
    row: async (stack, user) => ({
      run_id: await makeRun(stack, user),
      thread_id: (await plant(stack, "studio_chat_threads", user)).id,
    }),
    change: { comment: "Changed" },
  },
  studio_api_keys: {
    rights: { insert: false, update: false, delete: false },
    row: async () => ({ id: randomUUID(), name: "Sample", prefix: "sy_abcdef", scopes: JSON.stringify(["run:*"]) }),
    change: { name: "Changed" },
  },
  studio_credentials: {
    rights: { insert: false, update: true, delete: true },
    row: async () => ({ id: randomUUID(), name: "Sample", type: "openai", last_four: "abcd", key_version: 1 }),
    change: { name: "Changed" },
  },
};

/** The sample of a table. Throws when a table has none. */
export function sampleOf(table: string): Sample {
  const sample = samples[table];
  if (!sample) throw new Error(`Table ${table} has no entry in sample-rows.ts: decide who may do what with it.`);
  return sample;
}

/** Puts a row of `user` into a table past the API, and gives it back. */
export async function plant(
  stack: Ground,
  table: string,
  user: Owner,
  given?: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const row = { ...(given ?? (await sampleOf(table).row(stack, user))), owner: user.userId };
  const [planted] = await stack.sql<Record<string, unknown>>(
    `insert into public.${table} (${Object.keys(row).join(", ")})
     values (${Object.keys(row).map((_, index) => `$${index + 1}`)}) returning *`,
    Object.values(row),
  );
  if (!planted) throw new Error(`No row was planted in ${table}.`);
  return planted;
}

/** A row of `user` in every table of the public schema, and in those behind it. */
export async function plantEverywhere(stack: Ground, user: Owner): Promise<void> {
  const tables = await stack.sql<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`);
  for (const { name } of tables) await plant(stack, name, user);
  for (const statement of [
    `insert into private.studio_credential_secrets (credential_id, iv, ciphertext, key_version)
     select id, 'iv', 'sealed', 1 from public.studio_credentials where owner = $1`,
    `insert into private.studio_collectors (workflow_id, url, headers, content)
     select workflow_id, 'https://traces.example.test', '{}', false from public.studio_publications where owner = $1`,
    `insert into private.studio_visitors (workflow_id, visitor, seen_at)
     select workflow_id, gen_random_uuid(), now() from public.studio_publications where owner = $1`,
    `insert into private.studio_rate_limits (owner, bucket, window_start, used) values ($1, 'llm-proxy', now(), 1)`,
    `insert into private.studio_slots (owner, bucket, expires_at) values ($1, 'llm-proxy', now() + interval '1 day')`,
    `insert into private.studio_pruned (owner) values ($1)`,
  ]) {
    await stack.sql(statement, [user.userId]);
  }
}

async function makeWorkflow(stack: Ground, user: Owner): Promise<string> {
  return String((await plant(stack, "studio_workflows", user)).id);
}

async function makeRun(stack: Ground, user: Owner): Promise<string> {
  return String((await plant(stack, "studio_runs", user)).id);
}
