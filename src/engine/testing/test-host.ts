import type {
  ApprovalDecision,
  ApprovalRequest,
  CodeRequest,
  CodeResult,
  FunctionResult,
  Host,
  McpConnection,
  ModelConnection,
  VectorStore,
} from "../host.ts";
import type { WorkflowDocument } from "../document/workflow-document.ts";
import type { JsonObject } from "../json.ts";
import type { KnowledgeStore } from "../knowledge/knowledge.ts";
import { fileStore, type MemoryFileStore } from "../in-memory/file-store.ts";
import { knowledgeStore } from "../in-memory/knowledge-store.ts";
import { memoryStore, type MemoryStore } from "../in-memory/memory-store.ts";
import { vectorStore } from "../in-memory/vector-store.ts";
import { virtualClock, type VirtualClock } from "./virtual-clock.ts";

type Answer<Value> = Value | Promise<Value>;

/** What a test wants of the world; everything left out is refused in words. */
export interface TestHostOptions {
  /** Edge functions by name. */
  functions?: Record<string, (body: JsonObject, signal: AbortSignal) => Answer<FunctionResult>>;
  /** Approves as asked when absent. */
  approve?: (request: ApprovalRequest, signal: AbortSignal) => Answer<ApprovalDecision>;
  fetch?: (connection: ModelConnection, input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  mcpFetch?: (connection: McpConnection, init: RequestInit) => Promise<Response>;
  /** Saved workflows by id. */
  workflows?: Readonly<Record<string, WorkflowDocument>>;
  runCode?: (request: CodeRequest, signal: AbortSignal) => Answer<CodeResult>;
  browserModel?: Host["browserModel"];
  allowedValues?: Host["allowedValues"];
  messages?: MemoryStore;
  /** Those of `messages` when absent. */
  encryptedMessages?: MemoryStore;
  vectors?: VectorStore;
  /** Without collections when absent. */
  knowledge?: KnowledgeStore;
  /** Empty when absent. */
  files?: MemoryFileStore;
  documents?: Host["documents"];
  /** Milliseconds since 1970. */
  startsAt?: number;
}

/** A host for tests, with a record of what was asked of it. */
export interface TestHost extends Host {
  clock: VirtualClock;
  messages: MemoryStore;
  tab: MemoryStore;
  files: MemoryFileStore;
  functionCalls: { name: string; body: JsonObject }[];
  approvals: ApprovalRequest[];
}

/** A world without network: messages in memory, a virtual clock, ids in sequence. */
export function testHost(options: TestHostOptions = {}): TestHost {
  const clock = virtualClock(options.startsAt);
  let ids = 0;
  const messages = options.messages ?? memoryStore();
  const host: TestHost = {
    clock,
    messages,
    encryptedMessages: options.encryptedMessages ?? messages,
    tab: memoryStore(),
    files: options.files ?? fileStore(),
    vectors: options.vectors ?? vectorStore(messages),
    knowledge: options.knowledge ?? knowledgeStore(),
    functionCalls: [],
    approvals: [],
    ...(options.documents ? { documents: options.documents } : {}),
    ...(options.allowedValues ? { allowedValues: options.allowedValues } : {}),
    ...(options.browserModel ? { browserModel: options.browserModel } : {}),
    now: clock.now,
    sleep: clock.sleep,
    newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`,
    fetch: options.fetch ?? (() => Promise.reject(new Error("This test host has no network."))),
    async callFunction(name, body, { signal }) {
      host.functionCalls.push({ name, body });
      const answer = options.functions?.[name];
      if (answer) return await answer(body, signal);
      const message = `This test host has no function "${name}".`;
      return { ok: false, status: 404, error: { code: "internal", message, hint: "Add it.", retryable: false } };
    },
    mcpFetch: options.mcpFetch ?? (() => Promise.reject(new Error("This test host has no MCP server."))),
    workflows: {
      async load(id) {
        const document = options.workflows?.[id];
        if (document) return { ok: true, document };
        const message = `This test host has no workflow "${id}".`;
        return { ok: false, error: { code: "invalid_config", message, hint: "Add it.", retryable: false } };
      },
    },
    async approve(request, signal) {
      host.approvals.push(request);
      return options.approve ? await options.approve(request, signal) : { approved: true, input: request.input };
    },
    async runCode(request, signal) {
      return options.runCode
        ? await options.runCode(request, signal)
        : { ok: false, error: "This test host runs no code.", logs: [] };
    },
  };
  return host;
}
