import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { fingerprintOf } from "./document-fingerprint.ts";
import type { DocumentStore } from "./document-store.ts";
import { mergeDocuments } from "../editing/merge-documents.ts";
import { replaceDocument } from "../editing/replace-document.ts";
import type { DraftStore } from "./local-drafts.ts";
import { ServiceError, type StoredWorkflow, type WorkflowRepository } from "../../services/services.ts";

/** Milliseconds after the last edit before it is written. */
export const saveDelay = 600;
/** Milliseconds after the first unwritten edit before it is written, however fast further ones come. */
export const longestSaveDelay = 2_000;
/** Milliseconds after an edit before this browser has it. */
export const draftDelay = 150;
/** Writing drafts of a large workflow takes at most 1/20 of the page's time. */
const draftShare = 20;
/** Documents being added that may turn out to be stored. */
const mostUnanswered = 20;
/** Milliseconds before a failed write is tried again: doubled on every failure, up to the second number. */
const retryDelays = { first: 2_000, longest: 30_000 };

interface AutosaveOptions {
  store: DocumentStore;
  workflows: Pick<WorkflowRepository, "save" | "create" | "find" | "get">;
  drafts: DraftStore;
  /** Names this tab in drafts. */
  writer: string;
  newId(): string;
  registry: NodeRegistry;
  /** Called when changes that were made elsewhere are now shown here. */
  onJoined?(): void;
}

export interface Autosave {
  /** Starts to watch the store and returns a function that stops it. Unsaved work stays in the draft. */
  start(): () => void;
  /** Writes unsaved work at once: on blur, before leaving, when the connection is back. */
  flush(): Promise<void>;
  /** Writes nothing from now on, neither to the server nor to the draft. */
  end(): void;
  /** Reads changes made elsewhere, such as in another tab, and merges unsaved work with them. */
  refresh(): Promise<void>;
  /** Settles a conflict: this tab's document replaces the stored one. */
  keepMine(): Promise<void>;
  /** Settles a conflict: the stored document replaces this tab's; undo brings this tab's back. */
  takeTheirs(): void;
  /** Settles a conflict: this tab's document becomes a workflow of its own, whose id is returned; here theirs shows. */
  saveAsCopy(): Promise<string>;
}

function failure(error: unknown): { offline: boolean; retry: boolean; message: string; hint: string } {
  if (error instanceof ServiceError) {
    const { kind, message, hint } = error;
    // A session that has ended may be good again by the next attempt.
    const retry = kind === "offline" || kind === "server" || kind === "unauthorized";
    return { offline: kind === "offline", retry, message, hint };
  }
  return {
    offline: false,
    retry: true,
    message: "The workflow could not be saved.",
    hint: "Your changes are kept in this browser. Saving is tried again in a moment.",
  };
}

/**
 * Writes the document of a store shortly after each edit. Unsaved work is also kept as a draft in this browser. A write
 * replaces only the revision that was read. If the stored one is newer, it may be an earlier write of this tab whose
 * answer was lost; then saving continues from there. If somebody else changed other fields, both are merged and
 * written. Otherwise the store shows a conflict, and nothing is written until `keepMine`, `takeTheirs` or `saveAsCopy`
 * resolves it.
 */
export function createAutosave(options: AutosaveOptions): Autosave {
  const { store, workflows, drafts, writer } = options;
  const workflowId = store.getState().document.id;
  let written = store.getState().document;
  let unanswered: readonly WorkflowDocument[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest: ReturnType<typeof setTimeout> | undefined;
  let draftTimer: ReturnType<typeof setTimeout> | undefined;
  let draftPause = draftDelay;
  let retryDelay = retryDelays.first;
  let writing: Promise<void> | null = null;
  let ended = false;

  function keepDraft(): void {
    clearTimeout(draftTimer);
    draftTimer = undefined;
    const startedAt = performance.now();
    const { document, revision, draftProblem } = store.getState();
    const sent = unanswered.filter((other) => other !== document).map(fingerprintOf);
    const result = drafts.write(workflowId, { document, baseRevision: revision, writer, sent });
    draftPause = Math.max(draftDelay, (performance.now() - startedAt) * draftShare);
    const problem = result.ok ? null : result.reason;
    if (problem !== draftProblem) store.setState({ draftProblem: problem });
  }

  function cancelTimers(): void {
    for (const each of [timer, latest, draftTimer]) clearTimeout(each);
    latest = undefined;
    draftTimer = undefined;
  }

  function schedule(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void write(), ms);
  }

  function settle(document: WorkflowDocument, revision: number): void {
    written = document;
    unanswered = [];
    retryDelay = retryDelays.first;
    const clean = store.getState().document === document;
    store.setState({ revision, saveState: clean ? { status: "saved" } : { status: "dirty" } });
    if (!clean) return schedule(saveDelay);
    clearTimeout(draftTimer);
    draftTimer = undefined;
    drafts.remove(workflowId, writer);
  }

  function fail(error: unknown): void {
    const { offline, retry, message, hint } = failure(error);
    store.setState({ saveState: offline ? { status: "offline" } : { status: "error", message, hint } });
    keepDraft();
    if (!retry) return;
    schedule(retryDelay);
    retryDelay = Math.min(retryDelay * 2, retryDelays.longest);
  }

  async function writeOver(revision: number): Promise<void> {
    const { document } = store.getState();
    unanswered = [...unanswered.filter((other) => other !== document), document].slice(-mostUnanswered);
    keepDraft();
    store.setState({ saveState: { status: "saving" } });
    try {
      const result = await workflows.save(document, revision);
      if (ended) return;
      if (result.ok) settle(document, result.revision);
      else if (!(await adopt(document, result.theirs)) && !(await join(result.theirs))) {
        store.setState({ saveState: { status: "conflict", theirs: result.theirs } });
        keepDraft();
      }
    } catch (error) {
      if (!ended) fail(error);
    }
  }

  /** Continues from a stored document that this tab wrote itself; false if it is somebody else's. */
  async function adopt(document: WorkflowDocument, stored: StoredWorkflow): Promise<boolean> {
    const storedAs = fingerprintOf(stored.document);
    if (!unanswered.some((mine) => fingerprintOf(mine) === storedAs)) return false;
    if (fingerprintOf(document) === storedAs) settle(document, stored.revision);
    else {
      store.setState({ revision: stored.revision });
      await writeOver(stored.revision);
    }
    return true;
  }

  /** Merges both versions into the store and writes the result; false if they changed the same fields. */
  async function join(other: StoredWorkflow): Promise<boolean> {
    const { document: mine } = store.getState();
    const merged = mergeDocuments({ base: written, mine, theirs: other.document }, options.registry);
    if (merged === undefined) return false;
    show(merged);
    written = other.document;
    unanswered = [];
    store.setState({ revision: other.revision });
    options.onJoined?.();
    await writeOver(other.revision);
    return true;
  }

  /** As an undo step of its own. */
  function show(document: WorkflowDocument, label = "Changes made elsewhere"): void {
    store.getState().edit(label, (draft) => replaceDocument(draft, document));
  }

  /** Shows a stored document without any unsaved work. */
  function rest(other: StoredWorkflow): void {
    written = store.getState().document;
    store.setState({ revision: other.revision, saveState: { status: "saved" } });
    unanswered = [];
    cancelTimers();
    drafts.remove(workflowId, writer);
  }

  async function refresh(): Promise<void> {
    await writing;
    const before = store.getState();
    if (before.saveState.status === "conflict") return;
    const found = await workflows.find(workflowId).catch(() => undefined);
    if (found === undefined || found.revision <= store.getState().revision || writing !== null) return;
    if (store.getState().document !== written) return write();
    const other = await workflows.get(workflowId).catch(() => undefined);
    const now = store.getState();
    // Edited or written meanwhile: the next write finds out what was changed elsewhere.
    if (other === undefined || now.document !== written || now.revision >= other.revision) return;
    show(other.document);
    rest(other);
    options.onJoined?.();
  }

  /** One write at a time; edits made meanwhile are scheduled when it ends. */
  async function write(expected?: number): Promise<void> {
    clearTimeout(timer);
    clearTimeout(latest);
    latest = undefined;
    if (writing !== null) {
      await writing;
      return write(expected);
    }
    const { document, revision, saveState } = store.getState();
    if (ended) return;
    if (expected === undefined && (document === written || saveState.status === "conflict")) return;
    writing = writeOver(expected ?? revision).finally(() => {
      writing = null;
    });
    await writing;
  }

  function onEdit(): void {
    const { saveState } = store.getState();
    draftTimer ??= setTimeout(keepDraft, draftPause);
    if (saveState.status === "conflict") return;
    if (saveState.status === "saved" || saveState.status === "error") {
      store.setState({ saveState: { status: "dirty" } });
    }
    const offline = saveState.status === "offline";
    schedule(offline ? retryDelay : saveDelay);
    latest ??= setTimeout(() => void write(), offline ? retryDelay : longestSaveDelay);
  }

  function theirs(): StoredWorkflow {
    const { saveState } = store.getState();
    if (saveState.status !== "conflict") throw new Error("There is no conflict to resolve.");
    return saveState.theirs;
  }

  function takeTheirs(): void {
    const other = theirs();
    show(other.document, "Take the other version");
    rest(other);
  }

  return {
    start() {
      const unsubscribe = store.subscribe((state, previous) => {
        if (state.document !== previous.document) onEdit();
      });
      if (store.getState().saveState.status === "dirty") schedule(saveDelay);
      return () => {
        unsubscribe();
        cancelTimers();
        if (store.getState().document !== written) keepDraft();
      };
    },
    async flush() {
      if (store.getState().document === written) return;
      keepDraft();
      await write();
    },
    end() {
      ended = true;
      cancelTimers();
    },
    refresh,
    async keepMine() {
      await write(theirs().revision);
    },
    takeTheirs,
    async saveAsCopy() {
      const { document } = store.getState();
      const copy = await workflows.create({ ...document, id: options.newId(), name: `${document.name} (my version)` });
      takeTheirs();
      return copy.id;
    },
  };
}
