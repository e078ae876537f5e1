import type { ShownPdf } from "./shown-pdf.ts";
import type { FileValue } from "../engine/file/file.ts";
import type { LocalServerId } from "../engine/vendors/local-servers.ts";
import type { MemoryPlace } from "../engine/memory/memory.ts";
import type { Host, SessionKey } from "../engine/host.ts";
import type { Json, JsonObject } from "../engine/json.ts";
import type { Message } from "../engine/model/message.ts";
import type { RunErrorData } from "../engine/errors.ts";
import type { StoredPrices } from "../engine/models/accepted-models.ts";
import type { ModelLists, PriceChange } from "../engine/models/price-changes.ts";
import type { ForkPoint, RunEvent } from "../engine/run/events.ts";
import type { RunStatus } from "../engine/run/run-state.ts";
import type { WorkflowDocument } from "../engine/document/workflow-document.ts";
import type { CountedPage, PageRequest } from "./pages.ts";
import type {
  ConversationRun,
  LastRun,
  ModelSpending,
  Retention,
  RunCosts,
  RunCursor,
  RunFilter,
  RunPage,
  RunSummary,
  SpendingRange,
  StoredEnding,
} from "./run-history.ts";

import type { ActivityService } from "./activity.ts";
import type { AllowedValueService } from "./allowed-values.ts";
import type { DoorService } from "./doors.ts";
import type { EvaluationService } from "./evaluations.ts";
import type { ApiKeyService } from "./api-keys.ts";
import type { InboxService } from "./inbox.ts";
import type { PublicationRepository } from "./publications.ts";
import type { ServerRuns } from "./server-runs.ts";
import type { SharedRunService } from "./shared-runs.ts";
import type { VersionRepository } from "./workflow-versions.ts";

export * from "./activity.ts";
export * from "./allowed-values.ts";
export * from "./doors.ts";
export * from "./evaluations.ts";
export * from "./api-keys.ts";
export * from "./inbox.ts";
export * from "./pages.ts";
export * from "./publications.ts";
export * from "./run-history.ts";
export * from "./server-runs.ts";
export * from "./shared-runs.ts";
export * from "./workflow-versions.ts";
import type { KnowledgeRepository, KnowledgeSources } from "./knowledge.ts";
import type { RetrievalQuality } from "./retrieval-quality.ts";
import type { WebSources } from "./web-sources.ts";

/**
 * What features need from outside, as interfaces: `app` passes in the implementations of `host/`, tests their own.
 * Every method rejects with a ServiceError whose message can be shown as it is.
 */
export interface Services {
  auth: AuthService;
  workflows: WorkflowRepository;
  versions: VersionRepository;
  publications: PublicationRepository;
  doors: DoorService;
  apiKeys: ApiKeyService;
  inbox: InboxService;
  allowedValues: AllowedValueService;
  activity: ActivityService;
  evaluations: EvaluationService;
  runs: RunRepository;
  serverRuns: ServerRuns;
  sharedRuns: SharedRunService;
  credentials: CredentialRepository;
  memory: MemoryRepository;
  unsavedTurns: UnsavedTurns;
  knowledge: KnowledgeRepository;
  webSources: WebSources;
  retrievalQuality: RetrievalQuality;
  gallery: GalleryService;
  prices: PriceService;
  files: FileService;
  storage: StorageService;
  /** Whether the database is unavailable for a moment; absent if nothing reports it. */
  databasePause?: { isAway(): boolean; subscribe(listener: () => void): () => void };
  /** The server functions that are down at the moment, by name; absent if nothing reports them. */
  stoppedFunctions?: { names(): readonly string[]; subscribe(listener: () => void): () => void };
  /** Opens a PDF to be looked at; its code is loaded on first use. Rejects with an error that has a `hint`. */
  showPdf(bytes: Uint8Array<ArrayBuffer>): Promise<ShownPdf>;
  /** Reads documents; loaded on first use. */
  knowledgeSources: KnowledgeSources;
  /** Whether the functions of a hosted project embed by a model of their own; null in a studio that is none. */
  builtInEmbeddings: (() => Promise<boolean>) | null;
  /** The names of the languages that scans and photos are read in; none where text recognition is not installed. */
  scanLanguages(): Promise<string[]>;
  /** Called while a message of this session is typed: reads ahead what a run will read from its memory. */
  readAhead?(workflowId: string, sessionId: string): void;
  /** The engine's host for one workflow; its code is loaded with the first. Rejects with a ServiceError when it cannot be. */
  createHost(options: { workflowId: string; approve: Host["approve"]; pause?: Host["pause"] }): Host;
}

/** Files of the account, for pages. Rejects with a ServiceError, and with the signal's reason. */
export interface FileService {
  /** The bytes of a file. */
  open(id: string, signal: AbortSignal): Promise<Blob>;
  /** Stores bytes. */
  add(
    file: { name: string; mediaType: string; bytes: Uint8Array<ArrayBuffer> },
    signal: AbortSignal,
  ): Promise<FileValue>;
  /** Stores a file by `send`, which posts its bytes to the address with these headers. */
  store(
    file: File,
    send: (url: string, headers: Readonly<Record<string, string>>) => Promise<{ status: number; body: unknown }>,
  ): Promise<FileValue>;
}

/** Templates from elsewhere. */
export interface GalleryService {
  /** The address of a list that the operator names; null for none. */
  usual: string | null;
  /** The text at an address, read only when a person asks for it. */
  read(address: string): Promise<{ url: string; text: string }>;
}

/** Prices of models that the operator accepted, beside those that this version knows. */
export interface PriceService {
  /** The address of a list that the operator names; null for none. */
  address: string | null;
  /** Has this page price by what was accepted, and says when that was. */
  take(): Promise<StoredPrices>;
  /** How the list at an address differs from what is known. */
  check(address: string): Promise<PriceChange[]>;
  /** Has all runs from now on priced by these. */
  accept(models: ModelLists, source: string): Promise<StoredPrices>;
  /** Takes back what was accepted: has all runs from now on priced by what this version knows. */
  drop(): Promise<StoredPrices>;
}

/** A failure that can be shown: what happened and what to do. */
export class ServiceError extends Error {
  readonly hint: string;
  readonly kind: "offline" | "unauthorized" | "not-found" | "conflict" | "invalid" | "full" | "server";
  constructor(kind: ServiceError["kind"], message: string, hint: string) {
    super(message);
    this.name = "ServiceError";
    this.kind = kind;
    this.hint = hint;
  }
}

export interface Account {
  id: string;
  /** Absent for a guest. */
  email?: string;
  guest: boolean;
}

export interface AuthService {
  /** The signed-in account, or null. */
  current(): Promise<Account | null>;
  /**
   * Calls back on every sign-in and sign-out, also from other tabs; returns the unsubscribe function. A session that ends by
   * itself is no sign-out: `onEnded` says so, and `onChange` says when it is good again.
   */
  onChange(listener: (account: Account | null) => void): () => void;
  /** Calls back when the session has ended although nobody has signed out, as by a new password elsewhere. */
  onEnded(listener: () => void): () => void;
  /** Whether this browser has been a guest before, and would come back as the same one. */
  knowsGuest(): boolean;
  /** `invite`, here and below, is the text of an invite, if new accounts need one. */
  enterAsGuest(invite?: string): Promise<Account>;
  signUp(email: string, password: string, invite?: string): Promise<Account>;
  signIn(email: string, password: string): Promise<Account>;
  signOut(): Promise<void>;
  /** Turns the guest who is signed in into an account; everything stays theirs. */
  keepGuest(email: string, password: string): Promise<Account>;
  /** Other browsers are signed out. */
  changePassword(current: string, next: string): Promise<void>;
  /**
   * Deletes the account that is signed in, for good, and signs out of this browser. `password`: the account's; null for a
   * guest, who has none.
   */
  deleteAccount(password: string | null): Promise<void>;
  /** Whether the account that left this browser last was deleted. */
  wasDeleted(): boolean;
  /** Sends a link for a new password, if mail is set up. Does not reveal whether the account exists. */
  askForReset(email: string): Promise<void>;
  /** Sets a new password with the token of a link, and signs in; null where the link itself opened a session. */
  resetPassword(token: string | null, password: string): Promise<Account>;
}

/** One of an account's limits: how much is used, and the most that is allowed. */
export interface StorageUse {
  kind: "rows" | "bytes" | "events" | "documents" | "uploads";
  used: number;
  most: number;
}

/** What the operator of an embedded studio has done with its data. Times are ISO 8601. */
export interface StudioState {
  /** Restored from a backup, and not yet told to go on. */
  paused: boolean;
  /** Whether whoever is signed in may let it go on: in a studio that others use, that is for its operator to do. */
  mayResume: boolean;
  /** Null while there was none. */
  backup: { createdAt: string | null; failure: { at: string } | null } | null;
}

export interface StorageService {
  use(): Promise<StorageUse[]>;
  /** Null on hosted Supabase, which makes its own backups. */
  studio(): Promise<StudioState | null>;
  /** Lets a studio that was restored from a backup go on. */
  resume(): Promise<void>;
  /** Deletes for good what was deleted and could still be brought back; gives how many things there were. */
  purge(): Promise<number>;
}

export interface WorkflowSummary {
  id: string;
  name: string;
  revision: number;
  /** ISO 8601. */
  createdAt: string;
  updatedAt: string;
}

/** A workflow in the library. */
export interface ListedWorkflow extends WorkflowSummary {
  /** Its beginning; empty without one. */
  description: string;
  tags: string[];
  /** Null before the first. */
  lastRun: LastRun | null;
  /** ISO 8601; null unless it is in the trash. */
  deletedAt: string | null;
}

/** An imported workflow, and what is still to do about it. */
export interface ImportedWorkflow {
  id: string;
  name: string;
  /** ISO 8601. */
  createdAt: string;
  format: string;
  /** The report came with a file of the studio. */
  received: boolean;
  /** Nodes in the file. */
  nodes: number;
  /** What is still open, by its kind. */
  open: Record<OpenImport, number>;
  /** The node of the first open entry; null when none is open or that has no node. */
  first: string | null;
}

/** What an import can leave to do. */
export const openImports = ["placeholder", "needsCredential", "approximated"] as const;
export type OpenImport = (typeof openImports)[number];

/** A tag, and how many workflows have it. */
export interface WorkflowTag {
  tag: string;
  workflows: number;
}

export interface StoredWorkflow extends WorkflowSummary {
  document: WorkflowDocument;
}

export type SaveResult =
  | { ok: true; revision: number; updatedAt: string }
  | { ok: false; reason: "conflict"; theirs: StoredWorkflow };

export const workflowOrders = ["edited", "name", "created"] as const;
/** `edited`: the latest edit first; `created`: the newest first. */
export type WorkflowOrder = (typeof workflowOrders)[number];

export interface WorkflowRepository {
  /**
   * Those with all of the tags. With `trash` the deleted ones instead, the latest first; else these are left out. With `own` the
   * assistant's workflow is left out.
   */
  page(
    request: PageRequest & { order: WorkflowOrder; tags?: readonly string[]; trash?: boolean; own?: boolean },
  ): Promise<CountedPage<ListedWorkflow>>;
  /** Imported ones, the newest first: those with something of the kind to do, with anything, with nothing, or all. */
  imports(request: PageRequest & { open: OpenImport | "any" | "none" | null }): Promise<CountedPage<ImportedWorkflow>>;
  /** All whose name has these words, by name; of a long list page after page is read. */
  list(search?: string): Promise<WorkflowSummary[]>;
  /** Undefined when the account has no such workflow, or has deleted it. */
  find(id: string): Promise<WorkflowSummary | undefined>;
  get(id: string): Promise<StoredWorkflow>;
  /** What a picture of the workflow needs, without the settings of its nodes. All that are wanted at once are one request. */
  outline(id: string): Promise<Pick<WorkflowDocument, "nodes" | "edges">>;
  create(document: WorkflowDocument): Promise<StoredWorkflow>;
  /** Writes only when the stored revision is still `expectedRevision`. */
  save(document: WorkflowDocument, expectedRevision: number): Promise<SaveResult>;
  /** By name. */
  tags(): Promise<WorkflowTag[]>;
  setTags(id: string, tags: readonly string[]): Promise<void>;
  /** Moves to the trash; `restore` undoes it within 30 days. */
  remove(id: string): Promise<void>;
  restore(id: string): Promise<void>;
  /** Deletes from the trash for good, with versions, runs and conversations. */
  removeForever(id: string): Promise<void>;
  /** Deletes for good what has been in the trash for 30 days, as the studio does by itself every day. */
  pruneTrash(): Promise<void>;
}

/** A run as it is recorded when it begins. */
export interface RecordedRun {
  id: string;
  workflowId: string;
  input: Json;
  document: WorkflowDocument;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** The run whose recording serves the beginning of this one. */
  forkedFrom?: ForkPoint;
  /** A test makes it. */
  isTrial?: boolean;
}

/** Rows that this browser keeps by their `id`; what is written survives the end of the browser at any moment. Never rejects. */
export interface BrowserTable<Row extends { id: string }> {
  /** False when the browser does not keep it. */
  put(row: Row): Promise<boolean>;
  get(id: string): Promise<Row | undefined>;
  /** In the order of their ids. */
  all(): Promise<Row[]>;
  remove(id: string): Promise<void>;
  clear(): Promise<void>;
}

/** A turn that could not be saved to its memory yet; it waits in this browser. */
export interface UnsavedTurn {
  id: string;
  /** Null: shared by all workflows. */
  workflowId: string | null;
  sessionId: string;
}

/** The waiting turns, oldest first; they are saved automatically once that is possible. */
export interface UnsavedTurns {
  /** The same array until something changes. */
  list(): readonly UnsavedTurn[];
  subscribe(listener: () => void): () => void;
  /** Tries to save them now. Never rejects. */
  retry(): Promise<void>;
}

/** How a run ended, as it is recorded. */
export interface RunEnd {
  status: RunStatus;
  output: Json;
  error: RunErrorData | null;
  totalTokens: number;
  costUsd: number | null;
  endedAt: number;
  /** Why an agent stopped early. */
  ending?: StoredEnding | undefined;
  /** By model, for the costs; left as it is when absent. */
  spending?: readonly ModelSpending[];
}

export interface RunRepository {
  /** The input comes as `EventPacker.refer` makes it. */
  start(run: RecordedRun): Promise<void>;
  /** Idempotent: events that are already stored are left as they are. They come as a EventPacker makes them. */
  appendEvents(runId: string, events: readonly RunEvent[]): Promise<void>;
  /** The output comes as `EventPacker.refer` makes it. `events`: the last ones, stored with the end or not at all. */
  finish(runId: string, end: RunEnd, events?: readonly RunEvent[]): Promise<void>;
  /** Pictures whole. Rejects with `not-found` when there is no such run. */
  get(runId: string): Promise<RunSummary>;
  /** Newest first; those that tests made are left out. */
  list(workflowId: string, limit: number): Promise<RunSummary[]>;
  /** The last runs of a conversation that have ended, oldest first. */
  ofConversation(workflowId: string, sessionId: string): Promise<ConversationRun[]>;
  /** Runs of all workflows that fit, newest first; `after` is a page's `next`. */
  page(filter: RunFilter, limit: number, after?: RunCursor): Promise<RunPage>;
  /** In order, pictures whole wherever they occur. */
  events(runId: string): Promise<RunEvent[]>;
  document(runId: string): Promise<WorkflowDocument>;
  /** Deletes runs with all that is stored of them. Those that are gone already do not count as an error. */
  remove(runIds: readonly string[]): Promise<void>;
  /** Deletes every run that fits and is not running; gives how many there were. */
  removeAll(filter: RunFilter): Promise<number>;
  retention(): Promise<Retention>;
  /** Takes effect at once: older runs are deleted. */
  setRetention(retention: Retention): Promise<void>;
  /** Deletes what is older than the retention allows, as every start of a run does too; gives how many there were. */
  prune(): Promise<number>;
  /** What stored runs cost, added up by the database. */
  costs(range: SpendingRange): Promise<RunCosts>;
}

export interface CredentialSummary {
  id: string;
  name: string;
  type: string;
  lastFour: string;
  allowedHosts: string[];
  /** What its owner decided about its use (`parseSettings`), or what its server has asked for since (`wantedScope`). */
  settings: JsonObject;
  updatedAt: string;
}

/** Which workflows name a credential in their nodes. */
export interface CredentialUses {
  /** The ten edited last. */
  workflows: { id: string; name: string }[];
  /** How many there are in all. */
  total: number;
}

/** A sign-in that waits for the person. */
interface StartedSignIn {
  authorizationUrl: string;
  /** Distinguishes the answer to this sign-in from others. */
  state: string;
  /** Sealed; handed back to finish. */
  pending: JsonObject;
}

/** A credential before it is stored; with an `id`, what one is changed to. */
interface CredentialDraft {
  id?: string;
  name: string;
  type: string;
  fields: JsonObject;
  allowedHosts?: string[];
  /** Absent: those that are stored, or the defaults. */
  settings?: JsonObject;
}

/** What came of putting a credential to the test. */
export interface CredentialTest {
  ok: boolean;
  message: string;
  hint?: string;
  /** The field that is to blame, where that is known. */
  field?: "apiKey" | "baseUrl";
}

/** A model server that answers on this machine. */
export interface LocalModelServer {
  id: LocalServerId;
  baseUrl: string;
  models: string[];
  /** Those of them that make vectors. */
  embeddingModels: string[];
}

export interface CredentialRepository {
  /** By name; of the given types only, where there are any. */
  page(request: PageRequest & { types?: readonly string[] }): Promise<CountedPage<CredentialSummary>>;
  /** All, by name; of a long list page after page is read. */
  list(): Promise<CredentialSummary[]>;
  /** Undefined when the account has no such credential. */
  find(id: string): Promise<CredentialSummary | undefined>;
  /** Which workflows use these credentials, by credential; those that no workflow uses are left out. */
  uses(ids: readonly string[]): Promise<ReadonlyMap<string, CredentialUses>>;
  save(credential: CredentialDraft): Promise<CredentialSummary>;
  /** Stores a credential if it works; else gives what its test said, and what was stored before stays. */
  saveTested(credential: CredentialDraft): Promise<CredentialSummary | { unsaved: CredentialTest }>;
  rename(id: string, name: string): Promise<void>;
  test(id: string): Promise<CredentialTest>;
  /** Looks for Ollama and LM Studio on this machine; null where the studio is not this machine's alone. */
  findLocalModels: (() => Promise<LocalModelServer[]>) | null;
  /** Begins to sign in to the server of a credential; the person goes to the address and comes back to `redirectUrl`. */
  startSignIn(id: string, redirectUrl: string): Promise<StartedSignIn>;
  /** Hands over what the person came back with; from then on the credential can be used. */
  finishSignIn(
    id: string,
    answer: { pending: JsonObject; state: string; code: string; issuer?: string },
  ): Promise<void>;
  remove(id: string): Promise<void>;
}

/** One conversation; `workflowId` null is shared by all of the owner's workflows. */
export interface SessionAddress {
  place: MemoryPlace;
  workflowId: string | null;
  sessionId: string;
}

export interface MemorySession {
  workflowId: string | null;
  sessionId: string;
  messages: number;
  /** As counted by the storage; null if it does not count. */
  bytes: number | null;
  lastUsedAt: string;
}

/** One conversation of a list: what is kept beside it is counted in, not listed on its own. */
export interface Conversation extends MemorySession {
  /** Whether the agent has a scratchpad here. */
  notes: boolean;
  summarised: boolean;
}

/** A message with its id in the conversation. */
export interface MemoryEntry {
  id: number;
  message: Message;
  /** When it was written, ISO 8601; absent where the place does not say. */
  at?: string | undefined;
  /** The encrypted form that the database holds; absent where that is plain text. */
  stored?: JsonObject;
  /** Why an encrypted message cannot be read; `message` has no text then. */
  unreadable?: { message: string; hint: string };
}

/**
 * A message to be put into a conversation; it is of this moment unless it says otherwise. One that was encrypted for this
 * conversation goes back in that form.
 */
export type TimedMessage = Pick<MemoryEntry, "message" | "at" | "stored">;

/** For how many days conversations of the database are kept after they were last written; null for ever. */
export interface ConversationRetention {
  keepDays: number | null;
}

/** `unsearched`: how many conversations a search could not find by what they are called, since that is encrypted. */
export type FoundConversations = CountedPage<Conversation> & { unsearched?: number };

export interface MemoryRepository {
  /** A conversation of the database, as the chat shows it. */
  messages(workflowId: string, sessionId: string): Promise<Message[]>;
  /** The conversations of a workflow and, unless `ownOnly`, the shared ones; the latest used first. */
  conversations(
    place: MemoryPlace,
    workflowId: string,
    request: PageRequest & { ownOnly?: boolean },
  ): Promise<FoundConversations>;
  /** Oldest first. */
  entries(session: SessionAddress): Promise<MemoryEntry[]>;
  /** One write for all: all or none. `encrypt` stores them encrypted, in the database alone. */
  append(session: SessionAddress, messages: readonly TimedMessage[], options?: { encrypt?: boolean }): Promise<void>;
  /** What conversations are called: the beginning of the first question of each; null for one without. In the order asked. */
  titles(place: MemoryPlace, sessions: readonly SessionKey[]): Promise<(string | null)[]>;
  retention(): Promise<ConversationRetention>;
  /** Takes effect at once: older conversations are deleted. */
  setRetention(retention: ConversationRetention): Promise<void>;
  /** Another message in the place of one, encrypted as that was; null deletes it. Rejects with `conflict` when it is not there any more. */
  replace(session: SessionAddress, entry: MemoryEntry, message: Message | null): Promise<void>;
  clear(session: SessionAddress): Promise<void>;
}
