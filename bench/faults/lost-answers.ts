import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { newDocument } from "../../src/engine/document/new-document.ts";
import { createAutosave } from "../../src/state/document/autosave.ts";
import { localDrafts } from "../../src/state/document/local-drafts.ts";
import { nodeRegistry } from "../../src/nodes/index.ts";
import { openDocument } from "../../src/state/document/open-document.ts";
import type { FaultCheck, FaultWorld } from "./fault-world.ts";

const saves = /^PATCH \/rest\/v1\/studio_workflows/;
const creations = /^POST \/rest\/v1\/studio_workflows/;

/** What a browser keeps, as far as drafts need it. */
function storage(): Storage {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    clear: () => items.clear(),
    getItem: (key) => items.get(key) ?? null,
    key: (index) => [...items.keys()][index] ?? null,
    removeItem: (key) => void items.delete(key),
    setItem: (key, value) => void items.set(key, value),
  };
}

async function editedWorkflow({ workflows, newWorkflow }: FaultWorld) {
  const stored = await workflows.get(await newWorkflow());
  const shelf = storage();
  const drafts = localDrafts(() => shelf);
  const open = (from = stored) => {
    const { store, restore, outcome } = openDocument(from, drafts.read(from.id));
    const autosave = createAutosave({
      store,
      workflows,
      drafts,
      writer: randomUUID(),
      newId: randomUUID,
      registry: nodeRegistry,
    });
    const stop = autosave.start();
    restore();
    const rename = (name: string) => store.getState().commit("Rename", (draft) => void (draft.name = name));
    return { store, autosave, stop, rename, outcome };
  };
  return { stored, open };
}

/** The answer to a save is lost, and editing goes on: no conflict with oneself. */
export const lostSaveAnswer: FaultCheck = {
  name: "a save whose answer is lost, while editing goes on",
  async round(world) {
    const { stored, open } = await editedWorkflow(world);
    const { store, autosave, stop, rename } = open();
    world.proxy.breakNext(saves, "drop-answer");
    rename("First");
    await autosave.flush();
    rename("Second");
    await autosave.flush();
    stop();
    const { name, revision } = await world.workflows.get(stored.id);
    return store.getState().saveState.status === "saved" && name === "Second" && revision === stored.revision + 2;
  },
};

/** The same when the tab is closed before the answer: the next visit finds its own work. */
export const lostSaveAnswerThenReopened: FaultCheck = {
  name: "a save whose answer is lost, then the workflow is opened again",
  async round(world) {
    const { stored, open } = await editedWorkflow(world);
    const first = open();
    world.proxy.breakNext(saves, "drop-answer");
    first.rename("First");
    await first.autosave.flush();
    first.rename("Second");
    first.stop();
    const second = open(await world.workflows.get(stored.id));
    await second.autosave.flush();
    second.stop();
    const { name } = await world.workflows.get(stored.id);
    return second.outcome === "restored" && second.store.getState().saveState.status === "saved" && name === "Second";
  },
};

/** The answer to a creation is lost: there is one workflow, and the caller gets it. */
export const lostCreateAnswer: FaultCheck = {
  name: "a workflow whose creation is not answered",
  async round({ proxy, workflows }, index) {
    const document = { ...newDocument(randomUUID(), `Created ${randomUUID()}`) };
    proxy.breakNext(creations, ...(["drop-answer", "unavailable", "cut"] as const).slice(index % 2, (index % 2) + 2));
    const { id } = await workflows.create(document);
    const named = (await workflows.list()).filter(({ name }) => name === document.name);
    return id === document.id && named.length === 1;
  },
};

/** The session is refused for a while: the work is saved once it is good again, without anyone doing anything. */
export const sessionRefused: FaultCheck = {
  name: "a save while the session has ended, until it is good again",
  async round(world) {
    const { stored, open } = await editedWorkflow(world);
    const { store, stop, rename } = open();
    world.proxy.breakNext(saves, "unauthorized");
    rename("First");
    for (let turn = 0; turn < 100 && store.getState().saveState.status !== "saved"; turn += 1) await wait(100);
    stop();
    return (await world.workflows.get(stored.id)).name === "First";
  },
};
