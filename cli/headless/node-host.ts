import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { FileStore } from "../../src/engine/file/file-store.ts";
import {
  type ApprovalDecision,
  type Host,
  type MessageStore,
  nobodyApproves,
  type WorkflowLoader,
} from "../../src/engine/host.ts";
import { type KeptCollection, knowledgeStore } from "../../src/engine/in-memory/knowledge-store.ts";
import { memoryStore } from "../../src/engine/in-memory/memory-store.ts";
import { vectorStore } from "../../src/engine/in-memory/vector-store.ts";
import type { TargetPolicy } from "../../supabase/functions/_shared/target-policy.ts";
import { createCallFunction } from "./call-function.ts";
import type { CredentialBook } from "./credentials-file.ts";
import type { KeptMemory } from "./memory-file.ts";
import { createMcpFetch } from "./mcp-fetch.ts";
import { createModelFetch } from "./model-fetch.ts";
import { checkSchemaInThread } from "../../worker/runtime/check-schema.ts";
import { documentsInThreads } from "../../worker/runtime/documents.ts";
import { runCodeInThread } from "../../worker/runtime/run-code.ts";

interface NodeHostOptions {
  credentials: CredentialBook;
  policy: TargetPolicy;
  /** Agree to tool calls that ask; otherwise they are rejected with a reason that the model reads. */
  approve: boolean;
  /** Make calls again that may have been made before a recording broke off; otherwise they fail and say so. */
  repeat?: boolean;
  /** What a workflow tool may run. */
  workflows: WorkflowLoader;
  /** Exported collections that tools may search. */
  knowledge?: readonly KeptCollection[];
  /** Where files are kept; without it a run that makes one fails. */
  files?: FileStore;
  /** Where database memories keep conversations; without it they end with the process. */
  memory?: KeptMemory;
  /** Called once, when a conversation that ends with the process is first written. */
  onUnkeptMemory?(): void;
  /** Called once, when a conversation that is to be encrypted is first written to `memory`, which keeps plain text. */
  onPlainMemory?(): void;
}

/** One for all runs, in threads that are started with the first file. */
const documents = documentsInThreads();

const notRepeated: ApprovalDecision = {
  approved: false,
  reason: "With --repeat it is done again.",
  unasked: true,
};

/** The engine's door to the world in Node: the studio's own guarded functions in this process. */
export function createNodeHost(options: NodeHostOptions): Host {
  const { credentials, policy, approve, repeat = false, workflows, knowledge, files } = options;
  const { messages, vectors } = options.memory ?? unkeptMemory(options.onUnkeptMemory);
  const encryptedMessages = options.memory ? tellingOnce(messages, options.onPlainMemory) : messages;
  return {
    fetch: createModelFetch(credentials, policy),
    callFunction: createCallFunction(credentials, policy),
    now: Date.now,
    newId: randomUUID,
    async sleep(ms, signal) {
      signal.throwIfAborted();
      await delay(ms, undefined, { signal }).catch((error: unknown) => {
        throw signal.aborted ? signal.reason : error;
      });
    },
    mcpFetch: createMcpFetch(credentials, policy),
    workflows,
    messages,
    encryptedMessages,
    tab: memoryStore(Date.now),
    vectors,
    knowledge: knowledgeStore(knowledge),
    ...(files ? { files } : {}),
    approve: (request, signal) => {
      const isNew = request.again === undefined;
      if (isNew ? approve : repeat) return Promise.resolve({ approved: true, input: request.input });
      return isNew ? nobodyApproves(request, signal) : Promise.resolve(notRepeated);
    },
    runCode: runCodeInThread,
    documents,
    checkSchema: checkSchemaInThread,
  };
}

function unkeptMemory(onFirstWrite: (() => void) | undefined): KeptMemory {
  const messages = tellingOnce(memoryStore(Date.now), onFirstWrite);
  return { messages, vectors: vectorStore(messages) };
}

function tellingOnce<Store extends MessageStore>(store: Store, onFirstWrite: (() => void) | undefined): Store {
  let told = false;
  return {
    ...store,
    append(key, added, write) {
      if (!told) onFirstWrite?.();
      told = true;
      return store.append(key, added, write);
    },
  };
}
