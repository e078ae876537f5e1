import { applyPatches, enablePatches, produceWithPatches } from "immer";
import { createStore, type StoreApi } from "zustand/vanilla";
import { referencesToKeep, setReference } from "../../engine/document/slug.ts";
import type { NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { SaveState } from "./save-state.ts";
import { joinSteps, type UndoStep } from "./undo-step.ts";

enablePatches();

/** Undo steps kept per workflow. */
const historyLimit = 200;

type Recipe = (draft: WorkflowDocument) => void;

export interface DocumentState {
  document: WorkflowDocument;
  /** The stored revision that this document was read from or last written as. */
  revision: number;
  saveState: SaveState;
  /** Set while this browser cannot keep a local copy of unsaved work; says why. */
  draftProblem: string | null;
  past: readonly UndoStep[];
  future: readonly UndoStep[];
  /**
   * Changes the document. Commits with one label between two marks are one undo step; a recipe that changes nothing
   * leaves no trace.
   */
  commit(label: string, recipe: Recipe): void;
  /** Ends the current undo step: called at pointer-down and at field focus. */
  mark(): void;
  /** Commits as an undo step of its own. */
  edit(label: string, recipe: Recipe): void;
  /** Undoes the last step and returns its label, or null if there is none. */
  undo(): string | null;
  redo(): string | null;
}

export type DocumentStore = StoreApi<DocumentState>;

/** A read-only store; `onRefused` is called for every attempt to change the document. */
export function createFrozenStore(document: WorkflowDocument, onRefused: () => void): DocumentStore {
  const store = createDocumentStore(document, 0);
  store.setState({ commit: onRefused, undo: () => null, redo: () => null });
  return store;
}

/** An edit with the names that new nodes have to keep, so that no later edit changes what expressions call them. */
function withReferences(
  document: WorkflowDocument,
  edited: WorkflowDocument,
  step: UndoStep,
): [WorkflowDocument, UndoStep] {
  const { nodes } = document;
  const isNamed = ({ id, title, reference }: NodeRecord) =>
    nodes[id]?.title === title && nodes[id]?.reference === reference;
  if (edited.nodes === nodes || Object.values(edited.nodes).every(isNamed)) return [edited, step];
  const [next, patches, inverse] = produceWithPatches(edited, (draft) => {
    for (const [id, name] of referencesToKeep(edited, document)) setReference(draft.nodes[id], name);
  });
  return [next, patches.length === 0 ? step : joinSteps(step, { label: step.label, patches, inverse })];
}

/** The store of one open workflow. Saving is done by an autosave driver that subscribes to it. */
export function createDocumentStore(document: WorkflowDocument, revision: number): DocumentStore {
  let stepIsOpen = false;
  return createStore<DocumentState>()((set, get) => ({
    document,
    revision,
    saveState: { status: "saved" },
    draftProblem: null,
    past: [],
    future: [],
    commit(label, recipe) {
      const { document, past } = get();
      const [edited, patches, inverse] = produceWithPatches(document, recipe);
      if (patches.length === 0) return;
      const [next, step] = withReferences(document, edited, { label, patches, inverse });
      const open = stepIsOpen ? past.at(-1) : undefined;
      const joined = open?.label === label ? [...past.slice(0, -1), joinSteps(open, step)] : [...past, step];
      stepIsOpen = true;
      set({ document: next, past: joined.slice(-historyLimit), future: [] });
    },
    mark() {
      stepIsOpen = false;
    },
    edit(label, recipe) {
      stepIsOpen = false;
      get().commit(label, recipe);
      stepIsOpen = false;
    },
    undo() {
      const { document, past, future } = get();
      const step = past.at(-1);
      if (step === undefined) return null;
      stepIsOpen = false;
      set({
        document: applyPatches(document, step.inverse),
        past: past.slice(0, -1),
        future: [...future, step],
      });
      return step.label;
    },
    redo() {
      const { document, past, future } = get();
      const step = future.at(-1);
      if (step === undefined) return null;
      stepIsOpen = false;
      set({
        document: applyPatches(document, step.patches),
        past: [...past, step],
        future: future.slice(0, -1),
      });
      return step.label;
    },
  }));
}
