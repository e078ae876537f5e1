import type { Documents } from "./file/documents.ts";
import type { FileStore } from "./file/file-store.ts";
import type { SchemaRequest, SchemaVerdict } from "./json-schema/schema-verdict.ts";
import type { AskedForm, ToolResult, ToolSet } from "./tool/tool.ts";
import type { WorkflowDocument } from "./document/workflow-document.ts";
import type { Json, JsonObject, JsonSchema } from "./json.ts";
import type { KnowledgeStore } from "./knowledge/knowledge.ts";
import type { BrowserModel } from "./model/browser-model.ts";
import type { SpendingLimit } from "./spending/spending-limit.ts";
import type { Message } from "./model/message.ts";
import type { Allowable, AllowedValue } from "./trust/allowed-values.ts";
import type { UnsaidValue } from "./trust/provenance/unsaid-value.ts";
import type { Taint } from "./trust/taint.ts";
import type { PauseDecision, PauseRequest } from "./run/breakpoints.ts";

/** A vendor connection: which provider's wire format, and the id of the stored credential (never its value). */
export interface ModelConnection {
  provider: string;
  credential: string;
}

/** Which conversation: `workflowId` null means shared by all of the owner's workflows. */
export interface SessionKey {
  workflowId: string | null;
  sessionId: string;
}

/** A message with its place in the conversation: a later one of the same session has a larger id. */
export interface StoredMessage {
  id: number;
  message: Message;
}

/** Identifies a write: repeating it with the same id adds nothing. */
export interface MemoryWrite {
  id: string;
}

/** How a turn is appended; without an id it is a write without a name. */
export interface AppendOptions extends Partial<MemoryWrite> {
  /** In the same write, deletes all but the last messages, as `prune` does. */
  keep?: number;
}

/** Where conversations are kept. Ordered by insertion, scoped to the owner by the store itself. */
export interface MessageStore {
  /** The last `limit` messages (all when absent), oldest first. */
  load(key: SessionKey, options: { limit?: number; signal?: AbortSignal }): Promise<Message[]>;
  /** Like `load`, with ids; `after` leaves out messages up to and including that id. */
  loadStored(
    key: SessionKey,
    options: { limit?: number; after?: number; signal?: AbortSignal },
  ): Promise<StoredMessage[]>;
  /** One write for all messages of a turn: all or none. */
  append(key: SessionKey, messages: Message[], options?: AppendOptions): Promise<void>;
  /**
   * Deletes all but the last `keep` messages and the rest of the turn that they begin in, so that no turn is torn; `keep`
   * 0 clears the session.
   */
  prune(key: SessionKey, keep: number): Promise<void>;
}

/** Vectors of queries, by what they were made of. Some are forgotten when there are many. */
export interface QueryVectors {
  get(key: string): readonly number[] | undefined;
  set(key: string, vector: readonly number[]): void;
}

/** A message and its embedding; null for a message that is never searched for, such as a tool's result. */
export interface EmbeddedMessage {
  message: Message;
  embedding: readonly number[] | null;
}

/** Remembered messages that can be found by meaning. Scoped to the owner by the store itself. */
export interface VectorStore {
  /**
   * Appends to the conversation that `MessageStore` loads, messages and vectors in one write: all or none. `model` is
   * the embedding model; vectors of different models are never compared.
   */
  append(key: SessionKey, messages: readonly EmbeddedMessage[], model: string, write?: MemoryWrite): Promise<void>;
  /**
   * The `limit` messages closest to `embedding` by cosine distance among those with an id below `before` (all when
   * absent), in the order of the conversation.
   */
  search(
    key: SessionKey,
    query: { embedding: readonly number[]; model: string; limit: number; before?: number; signal?: AbortSignal },
  ): Promise<StoredMessage[]>;
}

/**
 * A tool call or a step that waits for a person. With `form`, the call has already begun and asks for values: `callId`
 * identifies the question, and `input` holds the form's initial values.
 */
export interface ApprovalRequest {
  /** The agent that wants to make the call, or the step itself. */
  nodeId: string;
  /** The tool's node, or the step, where the person sees the question. */
  toolNodeId: string;
  toolName: string;
  callId: string;
  input: JsonObject;
  /** The schema that the arguments must match, edited or not. */
  parameters: JsonSchema;
  /** What the call would do, where its tool can say. */
  preview?: Json;
  form?: AskedForm;
  /**
   * The question that a step asks. There are then no arguments to review or edit, and `toolName` is the step's title.
   */
  message?: string;
  /** Where the untrusted content came from that the agent has read; absent if there was none. */
  untrusted?: Taint;
  /** The values for which a person is asked, where that is not the tool's own setting. */
  unsaid?: readonly UnsaidValue[];
  /** What the owner can set so that the tool asks less, where it asks because of those values. */
  remedy?: string;
  /** Those of them that a person may allow for good, where the question is asked because of them alone. */
  allowable?: Allowable;
  /**
   * The question is whether to do it again: it was begun this many times, and each time a crash kept the run from learning whether
   * it was done. Absent where it is new.
   */
  again?: number;
  /** Previews the call with other arguments; present whenever `preview` is. Never rejects. */
  previewOf?(input: JsonObject): Promise<ToolResult>;
}

/**
 * A person's decision: go on with these arguments (or form values), edited or not, or a reason for the model. `unasked`
 * means that nobody could be asked.
 */
export type ApprovalDecision =
  | { approved: true; input: JsonObject }
  | { approved: false; reason: string; unasked?: true };

/** For hosts where nobody can be asked: refuses every call that needs approval. */
export const nobodyApproves: Host["approve"] = () =>
  Promise.resolve({ approved: false, reason: "Nobody can be asked here.", unasked: true });

/** A wait after which the run continues. */
export interface WaitRequest {
  /** Identifies the wait within its run; the same in every attempt. */
  waitId: string;
  nodeId: string;
  /** When the run continues, in milliseconds since 1970. */
  until: number;
}

/** An edge function's response: its JSON body, or an error. */
export type FunctionResult =
  | { ok: true; body: Json }
  | { ok: false; status: number; error: import("./errors.ts").RunErrorData };

/** A file that code may read, or why it cannot. */
export type CodeFile = { id: string; name: string } & ({ bytes: Uint8Array<ArrayBuffer> } | { problem: string });

/** A file that code made; its output names it by this id, which is no file's yet. */
export interface MadeFile {
  id: string;
  name: string;
  mediaType: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** JavaScript to run in the sandbox: a function body, what it sees as variables, and its limits. */
export interface CodeRequest {
  code: string;
  /** Variables of the function body by name, and all of them as `args`. */
  args: JsonObject;
  /** Further variables of the function body, which are not in `args`. */
  inputs?: JsonObject;
  /** Variables that exist even if nothing gives them a value; they are then `undefined`. */
  declared?: string[];
  /** The files that it may read by `files`; absent where it makes none either. */
  files?: readonly CodeFile[];
  /** Milliseconds before it is interrupted. */
  timeoutMs: number;
  /** Bytes of memory that it may hold. */
  memoryBytes: number;
}

/** What the code returned and the files it made, or why it failed; `logs` are its console lines, oldest first. */
export type CodeResult =
  | { ok: true; output: Json; logs: string[]; made?: readonly MadeFile[] }
  | { ok: false; error: string; logs: string[] };

/** A stored workflow, or why it could not be loaded. */
export type LoadedWorkflow =
  | { ok: true; document: WorkflowDocument }
  | { ok: false; error: import("./errors.ts").RunErrorData };

/** The owner's other workflows, as they were last saved. */
export interface WorkflowLoader {
  /** Never rejects. */
  load(id: string): Promise<LoadedWorkflow>;
}

/**
 * An MCP server, given by its address, by a credential that contains one, or by both. What is missing is an empty
 * string.
 */
export interface McpConnection {
  url: string;
  /** Id of a stored credential. */
  credential: string;
}

/**
 * The engine's only access to the outside. The browser, workers, the command line and tests each provide one.
 * Credentials are passed by id, never by value.
 */
export interface Host {
  /**
   * Sends a request to a model vendor. The URL's origin is ignored: the host takes it from the credential, keeps path
   * and query, removes any key from the headers, and adds the real one where the engine cannot see it.
   */
  fetch(connection: ModelConnection, input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Calls an edge function by name with a JSON body. Rejects only when aborted. */
  callFunction(name: string, body: JsonObject, options: { signal: AbortSignal }): Promise<FunctionResult>;
  /** Milliseconds since 1970. */
  now(): number;
  /** A fresh UUID. */
  newId(): string;
  /**
   * Called between two pieces of work. Returns a promise to wait for when others on the same thread, such as a page
   * that renders, need a turn, and undefined otherwise. Hosts that share their thread with nobody omit it.
   */
  breathe?(): Promise<void> | undefined;
  /** Resolves after `ms` milliseconds, or rejects with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /**
   * Sends a request to an MCP server. The host takes address and secrets from the connection and keeps the method, the
   * body and the protocol's headers. A response that is not the server's own has the header `x-switchyard-error`.
   */
  mcpFetch(connection: McpConnection, init: RequestInit): Promise<Response>;
  workflows: WorkflowLoader;
  messages: MessageStore;
  /**
   * The same conversations as `messages`, but what is appended is stored encrypted. For workflows whose privacy
   * settings ask for it.
   */
  encryptedMessages: MessageStore;
  /** Like `messages`, but kept only while this tab or process lives. */
  tab: MessageStore;
  /** Set if `tab` ends with the run; the log then says so. */
  tabLastsFor?: "run";
  vectors: VectorStore;
  knowledge: KnowledgeStore;
  /** Vectors of queries that runs of the same account have embedded; kept for the run alone where absent. */
  queryVectors?: QueryVectors;
  /** Where the bytes of files are; nodes use them through `RunContext.files`. Absent where none can be kept. */
  files?: FileStore;
  /** Reads and makes documents, apart from the run's thread. Absent where that cannot be done. */
  documents?: Documents;
  approve(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision>;
  /**
   * What a person allowed for good in a workflow, read anew before each call that would ask; nothing is allowed without it. Rejects
   * where that cannot be known: the call then asks.
   */
  allowedValues?(workflowId: string, signal: AbortSignal): Promise<readonly AllowedValue[]>;
  /** What all model calls and embeddings made through this host may cost together; no limit where absent. */
  spending?: SpendingLimit;
  /**
   * Lets models without a known price be called under a spending limit, where they count nothing: for versions that were published
   * before such models were refused.
   */
  allowsUnknownPrices?: boolean;
  /**
   * Awaited before every model call and every tool call. When it resolves, all events so far are stored. Hosts without
   * a durable log omit it. Never rejects: a host that has to stop the run aborts it first. Before what may change something
   * outside it is given `begin`, which adds an event that says so: it calls that first, unless the run stops here.
   */
  checkpoint?(begin?: () => void): Promise<void>;
  /**
   * Resolves when the wait is over. For hosts that can suspend a run and resume it later; without it, the engine
   * sleeps. Rejects only when aborted.
   */
  wait?(request: WaitRequest, signal: AbortSignal): Promise<void>;
  /**
   * Asks what to do with a run that is paused at a breakpoint; without it, runs never pause. Rejects only when aborted.
   */
  pause?(request: PauseRequest, signal: AbortSignal): Promise<PauseDecision>;
  /** Runs code in a fresh sandbox without network, DOM or secrets. Rejects only when aborted. */
  runCode(request: CodeRequest, signal: AbortSignal): Promise<CodeResult>;
  /**
   * Checks a value on another thread, with a deadline and bounded memory. A check that takes too long fails with a
   * reason for the model. Without it, checks run synchronously however long they take, which is meant for tests only.
   * Rejects only with the signal's reason.
   */
  checkSchema?(request: SchemaRequest, signal: AbortSignal): Promise<SchemaVerdict>;
  /** Tools for the workflow that is open in the editor. Only the assistant's host has them. */
  studio?(): ToolSet;
  /** Set where tools' interfaces are shown: elsewhere none is read and none is stored. */
  showsApps?: true;
  /** The browser's built-in language model; absent outside a browser. */
  browserModel?(): Promise<BrowserModel>;
}
