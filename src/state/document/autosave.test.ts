import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { newDocument } from "../../engine/document/new-document.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { storedForm } from "../../engine/document/stored-form.ts";
import { createAutosave, draftDelay, saveDelay } from "./autosave.ts";
import { createDocumentStore } from "./document-store.ts";
import { endSaving, saveAfterLeaving, saveBeforeReading } from "./left-autosaves.ts";
import { localDrafts } from "./local-drafts.ts";
import { openDocument } from "./open-document.ts";
import { sha256 } from "../shared/sha256.ts";
import { type SaveResult, ServiceError, type StoredWorkflow } from "../../services/services.ts";

/** A database row of one workflow, with the optimistic lock of the real one, that can be switched off. */
class Shelf {
  stored: StoredWorkflow;
  created: WorkflowDocument[] = [];
  saves = 0;
  failure: Error | null = null;
  /** So many of the next writes are made, but nobody hears of it. */
  losesAnswers = 0;
  /** While set, writes wait for it. */
  gate: Promise<void> | null = null;
  constructor(document: WorkflowDocument) {
    const at = "2026-01-01T00:00:00Z";
    this.stored = { id: document.id, name: document.name, revision: 1, createdAt: at, updatedAt: at, document };
  }
  async save(document: WorkflowDocument, expected: number): Promise<SaveResult> {
    this.saves += 1;
    await this.gate;
    if (this.failure !== null) throw this.failure;
    if (this.stored.revision !== expected) {
      if (this.losesAnswers-- > 0) throw offline();
      return { ok: false, reason: "conflict", theirs: this.stored };
    }
    // As a database gives it back: the same values, keys in another order.
    const stored = sortedKeys(document);
    this.stored = { ...this.stored, name: document.name, document: stored, revision: expected + 1 };
    if (this.losesAnswers-- > 0) throw offline();
    return { ok: true, revision: expected + 1, updatedAt: this.stored.updatedAt };
  }
  find(): Promise<StoredWorkflow> {
    return this.failure === null ? Promise.resolve(this.stored) : Promise.reject(this.failure);
  }
  get(): Promise<StoredWorkflow> {
    return this.find();
  }
  /** Somebody else's write. */
  change(changes: Partial<WorkflowDocument>): void {
    const document = { ...this.stored.document, ...changes };
    this.stored = { ...this.stored, name: document.name, document, revision: this.stored.revision + 1 };
  }
  async create(document: WorkflowDocument): Promise<StoredWorkflow> {
    this.created.push(document);
    return { ...this.stored, id: document.id, document };
  }
}

function sortedKeys(document: WorkflowDocument): WorkflowDocument {
  const { edges, nodes, name, id, schemaVersion, ...rest } = document;
  return { edges, nodes, ...rest, name, id, schemaVersion };
}

class MemoryStorage implements Storage {
  private readonly map = new Map<string, string>();
  full = false;
  get length() {
    return this.map.size;
  }
  clear = () => this.map.clear();
  getItem = (key: string) => this.map.get(key) ?? null;
  key = (index: number) => [...this.map.keys()][index] ?? null;
  removeItem = (key: string) => void this.map.delete(key);
  setItem = (key: string, value: string) => {
    if (this.full) throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    this.map.set(key, value);
  };
}

const offline = () => new ServiceError("offline", "There is no connection.", "Check the network.");

function setUp() {
  const shelf = new Shelf(newDocument("w1", "Before"));
  const storage = new MemoryStorage();
  const drafts = localDrafts(() => storage);
  const store = createDocumentStore(shelf.stored.document, 1);
  const autosave = createAutosave({
    store,
    workflows: shelf,
    drafts,
    writer: "tab-1",
    newId: () => "copy-id",
    registry: nodeRegistry,
  });
  const stop = autosave.start();
  const rename = (name: string) => store.getState().commit("Rename workflow", (draft) => void (draft.name = name));
  const status = () => store.getState().saveState.status;
  return { shelf, storage, drafts, store, autosave, stop, rename, status };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("autosave", () => {
  it("writes once, some time after the last of several edits", async () => {
    const { shelf, rename, status } = setUp();
    rename("A");
    expect(status()).toBe("dirty");
    await vi.advanceTimersByTimeAsync(saveDelay / 2);
    rename("B");
    await vi.advanceTimersByTimeAsync(saveDelay - 1);
    expect(shelf.saves).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(shelf.saves).toBe(1);
    expect(shelf.stored.document.name).toBe("B");
    expect(status()).toBe("saved");
  });

  it("writes what was edited during a write afterwards, over the new revision", async () => {
    const { shelf, store, rename, status } = setUp();
    let open = () => {};
    shelf.gate = new Promise((resolve) => (open = resolve));
    rename("A");
    await vi.advanceTimersByTimeAsync(saveDelay);
    expect(status()).toBe("saving");
    rename("B");
    shelf.gate = null;
    open();
    await vi.advanceTimersByTimeAsync(saveDelay);
    expect(shelf.stored.document.name).toBe("B");
    expect(store.getState().revision).toBe(3);
    expect(status()).toBe("saved");
  });

  it("never has two writes under way", async () => {
    const { shelf, autosave, rename, status } = setUp();
    let open = () => {};
    shelf.gate = new Promise((resolve) => (open = resolve));
    rename("A");
    const flushes = [autosave.flush(), autosave.flush()];
    rename("B");
    flushes.push(autosave.flush(), autosave.flush());
    shelf.gate = null;
    open();
    await Promise.all(flushes);
    expect(shelf.stored.document.name).toBe("B");
    expect(shelf.saves).toBe(2);
    expect(status()).toBe("saved");
  });

  it("keeps edits in this browser while offline and sends them when the connection is back", async () => {
    const { shelf, drafts, autosave, rename, status } = setUp();
    shelf.failure = offline();
    rename("A");
    await vi.advanceTimersByTimeAsync(saveDelay);
    expect(status()).toBe("offline");
    rename("B");
    await autosave.flush();
    expect(status()).toBe("offline");
    expect(drafts.read("w1")?.document.name).toBe("B");
    shelf.failure = null;
    await autosave.flush();
    expect(shelf.stored.document.name).toBe("B");
    expect(status()).toBe("saved");
    expect(drafts.read("w1")).toBeNull();
  });

  it("tries again by itself after a failure of the server", async () => {
    const { shelf, store, rename, status } = setUp();
    shelf.failure = new ServiceError("server", "The database is not reachable.", "It is tried again.");
    rename("A");
    await vi.advanceTimersByTimeAsync(saveDelay);
    expect(store.getState().saveState).toEqual({
      status: "error",
      message: "The database is not reachable.",
      hint: "It is tried again.",
    });
    shelf.failure = null;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(status()).toBe("saved");
    expect(shelf.stored.document.name).toBe("A");
  });

  it("does not repeat a write that was refused for good", async () => {
    const { shelf, rename, status } = setUp();
    shelf.failure = new ServiceError("invalid", "The workflow is too large.", "Make it smaller.");
    rename("A");
    await vi.advanceTimersByTimeAsync(120_000);
    expect(shelf.saves).toBe(1);
    expect(status()).toBe("error");
  });

  it("tries again when the session has ended, and is saved once it is good again", async () => {
    const { shelf, rename, status } = setUp();
    shelf.failure = new ServiceError("unauthorized", "Your session has expired.", "Sign in again.");
    rename("A");
    await vi.advanceTimersByTimeAsync(saveDelay);
    expect(status()).toBe("error");
    shelf.failure = null;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(shelf.stored.document.name).toBe("A");
    expect(status()).toBe("saved");
  });

  it("keeps a draft and writes while someone types without a pause", async () => {
    const { shelf, drafts, rename } = setUp();
    for (let key = 1; key <= 200; key += 1) {
      rename("x".repeat(key));
      await vi.advanceTimersByTimeAsync(100);
      const kept = Math.max(shelf.stored.document.name.length, drafts.read("w1")?.document.name.length ?? 0);
      if (key > 2) expect(kept).toBeGreaterThanOrEqual(key - 2);
      if (key > 22) expect(shelf.stored.document.name.length).toBeGreaterThanOrEqual(key - 21);
    }
    // Not with every key either.
    expect(shelf.saves).toBeLessThanOrEqual(11);
  });

  describe("after an answer that was lost", () => {
    it("goes on from its own write instead of showing a conflict with itself", async () => {
      const { shelf, store, rename, status } = setUp();
      shelf.losesAnswers = 1;
      rename("A");
      await vi.advanceTimersByTimeAsync(saveDelay);
      expect(shelf.stored.document.name).toBe("A");
      expect(status()).toBe("offline");
      rename("B");
      await vi.advanceTimersByTimeAsync(60_000);
      expect(status()).toBe("saved");
      expect(shelf.stored).toMatchObject({ revision: 3, document: { name: "B" } });
      expect(store.getState().revision).toBe(3);
    });

    it("does so when several were lost, and with the very same document", async () => {
      const { shelf, rename, status } = setUp();
      shelf.losesAnswers = 3;
      rename("A");
      await vi.advanceTimersByTimeAsync(60_000);
      expect(status()).toBe("saved");
      expect(shelf.stored).toMatchObject({ revision: 2, document: { name: "A" } });
    });

    it("does so in a later visit, whose draft is a newer one", async () => {
      const first = setUp();
      first.shelf.losesAnswers = 1;
      first.rename("A");
      await vi.advanceTimersByTimeAsync(saveDelay);
      first.rename("B");
      await vi.advanceTimersByTimeAsync(draftDelay);
      first.stop();
      const { store, outcome, restore } = openDocument(first.shelf.stored, first.drafts.read("w1"));
      expect(outcome).toBe("restored");
      const { shelf: workflows, drafts } = first;
      createAutosave({ store, workflows, drafts, writer: "tab-2", newId: () => "x", registry: nodeRegistry }).start();
      restore();
      await vi.advanceTimersByTimeAsync(saveDelay);
      expect(workflows.stored).toMatchObject({ revision: 3, document: { name: "B" } });
      expect(store.getState().saveState).toEqual({ status: "saved" });
    });

    it("S59 still shows a conflict when somebody else wrote after it", async () => {
      const { shelf, rename, status } = setUp();
      shelf.losesAnswers = 1;
      rename("A");
      await vi.advanceTimersByTimeAsync(saveDelay);
      shelf.stored = { ...shelf.stored, revision: 3, document: { ...shelf.stored.document, name: "Theirs" } };
      rename("B");
      await vi.advanceTimersByTimeAsync(60_000);
      await vi.waitFor(() => expect(status()).toBe("conflict"), 60_000);
      expect(shelf.stored.document.name).toBe("Theirs");
    });
  });

  it("S59 shows a conflict and overwrites nothing until a person decides", async () => {
    const { shelf, store, autosave, rename, status } = setUp();
    shelf.stored = { ...shelf.stored, revision: 7, document: { ...shelf.stored.document, name: "Theirs" } };
    rename("Mine");
    await vi.advanceTimersByTimeAsync(saveDelay);
    await vi.waitFor(() => expect(status()).toBe("conflict"), 60_000);
    rename("Mine again");
    await autosave.flush();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(shelf.stored.document.name).toBe("Theirs");
    expect(shelf.saves).toBe(1);
    expect(store.getState().document.name).toBe("Mine again");
  });

  it("S59 joins what others changed elsewhere in the document, and writes both", async () => {
    const { shelf, store, rename, status } = setUp();
    shelf.change({ vars: { theirs: 1 } });
    rename("Mine");
    await vi.advanceTimersByTimeAsync(saveDelay);
    await vi.waitFor(() => expect(status()).toBe("saved"), 60_000);
    expect(shelf.stored.document).toMatchObject({ name: "Mine", vars: { theirs: 1 } });
    expect(store.getState()).toMatchObject({ document: { name: "Mine", vars: { theirs: 1 } }, revision: 3 });
    expect(store.getState().undo()).toBe("Changes made elsewhere");
    expect(store.getState().document).toMatchObject({ name: "Mine" });
    expect(store.getState().document.vars).toBeUndefined();
  });

  it("S59 shows what was changed elsewhere when it is asked to look, and writes nothing for it", async () => {
    const { shelf, store, autosave, rename, status } = setUp();
    await autosave.refresh();
    expect(store.getState().revision).toBe(1);
    shelf.change({ name: "Theirs" });
    await autosave.refresh();
    expect(store.getState()).toMatchObject({ document: { name: "Theirs" }, revision: 2 });
    await vi.advanceTimersByTimeAsync(10 * saveDelay);
    expect([shelf.saves, status()]).toEqual([0, "saved"]);
    rename("Mine");
    await vi.advanceTimersByTimeAsync(saveDelay);
    expect(shelf.stored).toMatchObject({ revision: 3, document: { name: "Mine" } });
    shelf.failure = offline();
    await autosave.refresh();
    expect(status()).toBe("saved");
  });

  it("S59 joins unwritten work with what it finds, and asks where both changed the same", async () => {
    const { shelf, store, autosave, rename, status } = setUp();
    shelf.change({ vars: { theirs: 1 } });
    rename("Mine");
    await autosave.refresh();
    expect(shelf.stored.document).toMatchObject({ name: "Mine", vars: { theirs: 1 } });
    shelf.change({ name: "Theirs" });
    rename("Mine again");
    await autosave.refresh();
    expect(status()).toBe("conflict");
    expect(store.getState().document.name).toBe("Mine again");
    await autosave.refresh();
    expect(shelf.stored.document.name).toBe("Theirs");
  });

  it("S59 keeps mine over theirs when asked to", async () => {
    const { shelf, store, autosave, rename, status } = setUp();
    shelf.stored = { ...shelf.stored, revision: 7, document: { ...shelf.stored.document, name: "Theirs" } };
    rename("Mine");
    await vi.advanceTimersByTimeAsync(saveDelay);
    await vi.waitFor(() => expect(store.getState().saveState.status).toBe("conflict"), 60_000);
    await autosave.keepMine();
    expect(shelf.stored).toMatchObject({ revision: 8, document: { name: "Mine" } });
    expect(status()).toBe("saved");
  });

  it("S59 takes theirs when asked to, and undo brings mine back", async () => {
    const { shelf, store, autosave, rename, status } = setUp();
    shelf.stored = { ...shelf.stored, revision: 7, document: { ...shelf.stored.document, name: "Theirs" } };
    rename("Mine");
    await vi.advanceTimersByTimeAsync(saveDelay);
    await vi.waitFor(() => expect(store.getState().saveState.status).toBe("conflict"), 60_000);
    autosave.takeTheirs();
    expect(store.getState().document.name).toBe("Theirs");
    expect(status()).toBe("saved");
    await vi.advanceTimersByTimeAsync(saveDelay * 2);
    expect(shelf.saves).toBe(1);
    store.getState().undo();
    await vi.advanceTimersByTimeAsync(saveDelay);
    expect(shelf.stored).toMatchObject({ revision: 8, document: { name: "Mine" } });
  });

  it("S59 takes nothing of mine along with theirs, and undo brings all of mine back", async () => {
    const { shelf, store, autosave } = setUp();
    shelf.stored = { ...shelf.stored, revision: 7, document: { ...shelf.stored.document, description: "Theirs" } };
    store.getState().commit("Set", (draft) => Object.assign(draft, { vars: { mine: 1 }, description: "Mine" }));
    await vi.advanceTimersByTimeAsync(saveDelay);
    await vi.waitFor(() => expect(store.getState().saveState.status).toBe("conflict"), 60_000);
    autosave.takeTheirs();
    expect(store.getState().document).toEqual(shelf.stored.document);
    store.getState().undo();
    expect(store.getState().document).toMatchObject({ vars: { mine: 1 }, description: "Mine" });
  });

  it("S59 saves mine as a workflow of its own and shows theirs here", async () => {
    const { shelf, store, autosave, rename } = setUp();
    shelf.stored = { ...shelf.stored, revision: 7, document: { ...shelf.stored.document, name: "Theirs" } };
    rename("Mine");
    await vi.advanceTimersByTimeAsync(saveDelay);
    await vi.waitFor(() => expect(store.getState().saveState.status).toBe("conflict"), 60_000);
    expect(await autosave.saveAsCopy()).toBe("copy-id");
    expect(shelf.created[0]).toMatchObject({ id: "copy-id", name: "Mine (my version)" });
    expect(store.getState().document.name).toBe("Theirs");
    expect(shelf.stored.revision).toBe(7);
  });

  it("S60 goes on working and saving when this browser's storage is full", async () => {
    const { shelf, storage, store, rename, status } = setUp();
    storage.full = true;
    rename("A");
    await vi.advanceTimersByTimeAsync(saveDelay);
    expect(store.getState().draftProblem).toContain("storage is full");
    expect(shelf.stored.document.name).toBe("A");
    expect(status()).toBe("saved");
    storage.full = false;
    rename("B");
    await vi.advanceTimersByTimeAsync(saveDelay);
    expect(store.getState().draftProblem).toBeNull();
  });
});

describe("work of an earlier visit", () => {
  it("comes back as an undo step, and is saved", async () => {
    const first = setUp();
    first.shelf.failure = offline();
    first.rename("Unsaved");
    first.stop();
    const draft = first.drafts.read("w1");
    const { store, outcome, restore } = openDocument(first.shelf.stored, draft);
    expect(outcome).toBe("restored");
    first.shelf.failure = null;
    const workflows = first.shelf;
    const autosave = createAutosave({
      store,
      workflows,
      drafts: first.drafts,
      writer: "tab-2",
      newId: () => "x",
      registry: nodeRegistry,
    });
    autosave.start();
    restore();
    expect(store.getState().document.name).toBe("Unsaved");
    await vi.advanceTimersByTimeAsync(saveDelay);
    expect(first.shelf.stored.document.name).toBe("Unsaved");
  });

  it("S59 opens as a conflict when the workflow was saved elsewhere since", async () => {
    const { shelf, drafts } = setUp();
    const document = { ...shelf.stored.document, name: "Mine" };
    drafts.write("w1", { document, baseRevision: 1, writer: "tab-0" });
    shelf.stored = { ...shelf.stored, revision: 4, document: { ...document, name: "Theirs" } };
    const { store, outcome, restore } = openDocument(shelf.stored, drafts.read("w1"));
    expect(outcome).toBe("conflict");
    createAutosave({
      store,
      workflows: shelf,
      drafts,
      writer: "tab-1",
      newId: () => "x",
      registry: nodeRegistry,
    }).start();
    restore();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(store.getState()).toMatchObject({ saveState: { status: "conflict" }, document: { name: "Mine" } });
    expect(shelf.stored.document.name).toBe("Theirs");
  });

  it("opens as a conflict when an earlier release named what it sent, and the answer was lost", async () => {
    const { shelf, drafts } = setUp();
    const sent = { ...shelf.stored.document, name: "Sent" };
    const namedBefore = [sha256(storedForm(sent))];
    drafts.write("w1", { document: { ...sent, name: "Newer" }, baseRevision: 1, writer: "tab-0", sent: namedBefore });
    await shelf.save(sent, 1);
    const { store, outcome, restore } = openDocument(shelf.stored, drafts.read("w1"));
    expect(outcome).toBe("conflict");
    restore();
    expect(store.getState()).toMatchObject({
      document: { name: "Newer" },
      saveState: { status: "conflict", theirs: { document: { name: "Sent" } } },
    });
  });

  it("is nothing when it is what is stored, whatever an earlier release named it", async () => {
    const { shelf, drafts } = setUp();
    const sent = { ...shelf.stored.document, name: "Sent" };
    drafts.write("w1", { document: sent, baseRevision: 1, writer: "tab-0", sent: [sha256(storedForm(sent))] });
    await shelf.save(sent, 1);
    expect(openDocument(shelf.stored, drafts.read("w1")).outcome).toBe("none");
  });

  it("is left alone by a tab that did not write it, and a broken one is ignored", () => {
    const { drafts, storage, shelf } = setUp();
    drafts.write("w1", { document: shelf.stored.document, baseRevision: 1, writer: "tab-0" });
    drafts.remove("w1", "tab-1");
    expect(drafts.read("w1")).not.toBeNull();
    storage.setItem("switchyard:draft:w1", "{ not json");
    expect(drafts.read("w1")).toBeNull();
    expect(openDocument(shelf.stored, drafts.read("w1")).outcome).toBe("none");
  });
});

describe("an editor that was left with unsaved work", () => {
  function leave({ autosave, stop }: ReturnType<typeof setUp>) {
    saveAfterLeaving("w1", autosave);
    stop();
  }
  afterEach(() => endSaving("w1"));

  it("is opened anew once that is stored, as if it had been saved before", async () => {
    const first = setUp();
    let open = () => {};
    first.shelf.gate = new Promise((resolve) => (open = resolve));
    first.rename("A");
    leave(first);
    let isRead = false;
    const reading = saveBeforeReading("w1").then(() => (isRead = true));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(isRead).toBe(false);
    open();
    await reading;
    expect(first.shelf.stored.document.name).toBe("A");
    expect(openDocument(first.shelf.stored, first.drafts.read("w1")).outcome).toBe("none");
  });

  it("tries again until it is saved", async () => {
    const first = setUp();
    first.shelf.failure = offline();
    first.rename("A");
    leave(first);
    await vi.advanceTimersByTimeAsync(1);
    first.shelf.failure = null;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(first.shelf.stored.document.name).toBe("A");
    expect(first.drafts.read("w1")).toBeNull();
  });

  it("leaves to the next editor what could not be saved before that was opened", async () => {
    const first = setUp();
    first.shelf.failure = offline();
    first.rename("A");
    leave(first);
    await saveBeforeReading("w1");
    const { saves } = first.shelf;
    const { outcome } = openDocument(first.shelf.stored, first.drafts.read("w1"));
    endSaving("w1");
    first.shelf.failure = null;
    await vi.advanceTimersByTimeAsync(60_000);
    expect([outcome, first.shelf.saves]).toEqual(["restored", saves]);
    expect(first.drafts.read("w1")?.document.name).toBe("A");
  });
});
