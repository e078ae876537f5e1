import type { SchemaRequest, SchemaVerdict } from "./agent/schema-verdict.ts";
import type { AskedForm, ToolResult, ToolSet } from "./agent/tool.ts";
import type { WorkflowDocument } from "./document/workflow-document.ts";
import type { Json, JsonObject, JsonSchema } from "./json.ts";
import type { KnowledgeStore } from "./knowledge/knowledge.ts";
import type { BrowserModel } from "./model/browser-model.ts";
import type { Message } from "./model/message.ts";
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

/** Names a write by an id of its own: what is made again with the same id adds nothing. */
export interface MemoryWrite {
  id: string;
}

/** Where conversations are kept. Ordered by insertion, scoped to the owner by the store itself. */
export interface MessageStore {
  /** The last `limit` messages (all when absent), oldest first. */
  load(key: SessionKey, options: { limit?: number; signal?: AbortSignal }): Promise<Message[]>;
  /** As `load`, with ids; `after` leaves out messages up to that id. */
  loadStored(
    key: SessionKey,
    options: { limit?: number; after?: number; signal?: AbortSignal },
  ): Promise<StoredMessage[]>;
  /** One write for all messages of a turn: all or none. */
  append(key: SessionKey, messages: Message[], write?: MemoryWrite): Promise<void>;
  /**
   * Deletes all but the last `keep` messages and the rest of the turn that they begin in, so that no turn is torn; `keep`
   * 0 clears the session.
   */
  prune(key: SessionKey, keep: number): Promise<void>;
}

/** A message and the vector of its meaning; null for one that nobody looks for, such as a tool's result. */
export interface EmbeddedMessage {
  message: Message;
  embedding: readonly number[] | null;
}

/** Remembered messages that can be found by meaning. Scoped to the owner by the store itself. */
export interface VectorStore {
  /**
   * Appends to the same conversation that `MessageStore` loads, messages and vectors in one write: all or none. `model`
   * names who made the vectors; those of another model are never compared.
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
 * A tool call, or a step of the flow, that waits for a person. With `form` the call is under way already and asks for values: `callId` then names the
 * question and `input` is what the form begins with.
 */
export interface ApprovalRequest {
  /** The agent that wants to make the call, or the step itself. */
  nodeId: string;
  /** The tool's node, or the step, where the person sees the question. */
  toolNodeId: string;
  toolName: string;
  callId: string;
  input: JsonObject;
  /** The schema that the arguments have to fit, also once they are edited. */
  parameters: JsonSchema;
  /** What the call would do, where its tool can say. */
  preview?: Json;
  form?: AskedForm;
  /**
   * What a step of the flow asks, in place of a tool's call: there are no arguments to look at or to edit, and `toolName` is
   * the title of the step.
   */
  message?: string;
  /** Where the untrusted content came from that the agent has read; absent if there was none. */
  untrusted?: Taint;
  /** What it would do with other arguments; present with `preview`. Never rejects. */
  previewOf?(input: JsonObject): Promise<ToolResult>;
}

/**
 * What the person said: go on with these arguments (or values of a form), edited or not, or a reason that the model reads.
 * `unasked`: there was nobody to ask.
 */
export type ApprovalDecision =
  { approved: true; input: JsonObject } | { approved: false; reason: string; unasked?: true };

/** The answer of a host where nobody can be asked: every call that asks is refused. */
export const nobodyApproves: Host["approve"] = () =>
  Promise.resolve({ approved: false, reason: "Nobody can be asked here.", unasked: true });

/** A run that goes on later. */
export interface WaitRequest {
  /** Names the wait within its run; the same in every attempt of it. */
  waitId: string;
  nodeId: string;
  /** When it goes on, in milliseconds since 1970. */
  until: number;
}

/** The answer of an edge function: its JSON body, or its refusal. */
export type FunctionResult =
  { ok: true; body: Json } | { ok: false; status: number; error: import("./run/errors.ts").RunErrorData };

/** JavaScript to run in the sandbox: a function body, what it sees as variables, and its limits. */
export interface CodeRequest {
  code: string;
  /** Variables of the function body by name, and all of them as `args`. */
  args: JsonObject;
  /** Further variables of the function body, which are not in `args`. */
  inputs?: JsonObject;
  /** Names that are variables even where nothing has a value for them; they are `undefined` then. */
  declared?: string[];
  /** Milliseconds before it is interrupted. */
  timeoutMs: number;
  /** Bytes of memory that it may hold. */
  memoryBytes: number;
}

/** What the code returned, or why it failed; `logs` are its console lines, oldest first. */
export type CodeResult = { ok: true; output: Json; logs: string[] } | { ok: false; error: string; logs: string[] };

/** A stored workflow, or why there is none, in words. */
export type LoadedWorkflow =
  { ok: true; document: WorkflowDocument } | { ok: false; error: import("./run/errors.ts").RunErrorData };

/** The owner's other workflows, as they were last saved. */
export interface WorkflowLoader {
  /** Never rejects. */
  load(id: string): Promise<LoadedWorkflow>;
}

/** An MCP server: its address, or a credential that brings one, or both; an empty text for what is missing. */
export interface McpConnection {
  url: string;
  /** Id of a stored credential. */
  credential: string;
}

/**
 * The only door from the engine to the world. The browser, the headless command and tests each bring one.
 * Credentials pass as ids, never as values.
 */
export interface Host {
  /**
   * HTTP to a model vendor. The URL's origin is ignored: the host takes the address from the credential,
   * keeps path and query, drops any key in the headers, and adds the real one out of the engine's sight.
   */
  fetch(connection: ModelConnection, input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Calls an edge function by name with a JSON body. Rejects only when aborted. */
  callFunction(name: string, body: JsonObject, options: { signal: AbortSignal }): Promise<FunctionResult>;
  /** Milliseconds since 1970. */
  now(): number;
  /** A fresh UUID. */
  newId(): string;
  /**
   * Asked between two pieces of work that need not wait for anything: a promise to wait for where others on the same
   * thread (a page that draws) need a turn, undefined where the work may go on. A host that serves nobody else leaves it out.
   */
  breathe?(): Promise<void> | undefined;
  /** Resolves after `ms` milliseconds, or rejects with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /**
   * HTTP to an MCP server. The host takes address and secrets from the connection and keeps method, body and the
   * headers of the protocol. An answer that is not the server's own carries the header `x-switchyard-error`.
   */
  mcpFetch(connection: McpConnection, init: RequestInit): Promise<Response>;
  workflows: WorkflowLoader;
  messages: MessageStore;
  /**
   * As `messages`, and the same conversations; what is appended here is stored encrypted. For workflows whose privacy
   * settings ask for it.
   */
  encryptedMessages: MessageStore;
  /** As `messages`, for as long as this tab (or process) lives. */
  tab: MessageStore;
  /** Set where `tab` ends with the run, which the log then says. */
  tabLastsFor?: "run";
  vectors: VectorStore;
  knowledge: KnowledgeStore;
  approve(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision>;
  /**
   * Awaited before every model call and every tool call: what the run has written so far is stored when it resolves. A
   * host that keeps no durable log leaves it out. Never rejects; one that must stop the run aborts it first.
   */
  checkpoint?(): Promise<void>;
  /**
   * Resolves when the wait is over. A host that can put a run aside and go on with it later brings this; without it the
   * engine sleeps. Rejects only when aborted.
   */
  wait?(request: WaitRequest, signal: AbortSignal): Promise<void>;
  /** Asks what to do with a run that is held; without it, runs are never held. Rejects only when aborted. */
  pause?(request: PauseRequest, signal: AbortSignal): Promise<PauseDecision>;
  /** Runs code in a fresh sandbox without network, DOM or secrets. Rejects only when aborted. */
  runCode(request: CodeRequest, signal: AbortSignal): Promise<CodeResult>;
  /**
   * Checks a value where it holds up nobody, with a deadline and bounded memory; a check that takes longer is a refusal in
   * words for the model. A host without it has such checks made at once, however long they take: for tests alone. Rejects
   * only with the signal's reason.
   */
  checkSchema?(request: SchemaRequest, signal: AbortSignal): Promise<SchemaVerdict>;
  /** The tools that work on the workflow open in the editor; absent everywhere but in the assistant. */
  studio?(): ToolSet;
  /** The language model of the browser; absent where no browser runs this. */
  browserModel?(): Promise<BrowserModel>;
}
