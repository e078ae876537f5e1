import { randomBytes, randomUUID } from "node:crypto";
import type { SignedIn } from "./clients.ts";
import type { SharedStack } from "./shared-stack.ts";

/** What the owner of a row may do through the API. */
interface Rights {
  insert: boolean;
  update: boolean;
  delete: boolean;
}

/** How to make a row of one table, and what its owner may do with it. */
interface Sample {
  rights: Rights;
  /** A row as a client inserts it, without `owner`; parents are made first. */
  row(stack: SharedStack, user: SignedIn): Promise<Record<string, unknown>>;
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
    row: async (stack, user) => ({
      run_id: await makeRun(stack, user),
      seq: 0,
      at: new Date().toISOString(),
      type: "log",
      event: { text: "Sample" },
    }),
    change: { type: "warning" },
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
  stack: SharedStack,
  table: string,
  user: SignedIn,
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

async function makeWorkflow(stack: SharedStack, user: SignedIn): Promise<string> {
  return String((await plant(stack, "studio_workflows", user)).id);
}

async function makeRun(stack: SharedStack, user: SignedIn): Promise<string> {
  return String((await plant(stack, "studio_runs", user)).id);
}
