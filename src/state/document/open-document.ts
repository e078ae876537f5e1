import { fingerprintOf } from "./document-fingerprint.ts";
import { createDocumentStore, type DocumentStore } from "./document-store.ts";
import { replaceDocument } from "../editing/replace-document.ts";
import type { Draft } from "./local-drafts.ts";
import type { StoredWorkflow } from "../../services/services.ts";

/** What happened to work that an earlier visit could not save. */
export type DraftOutcome = "none" | "restored" | "conflict";

/**
 * Makes the store for a workflow as it was read. A draft of an earlier visit that still fits the stored revision is put on
 * top as an undo step, also where that revision is its own earlier write whose answer was lost; one that is based on an
 * older revision opens as a conflict, with this browser's version showing.
 * Call `restore` once the autosave driver watches the store.
 */
export function openDocument(
  stored: StoredWorkflow,
  draft: Draft | null,
): { store: DocumentStore; outcome: DraftOutcome; restore(): void } {
  const store = createDocumentStore(stored.document, stored.revision);
  const asStored = { store, outcome: "none", restore: () => {} } as const;
  if (draft === null) return asStored;
  const storedAs = fingerprintOf(stored.document);
  if (fingerprintOf(draft.document) === storedAs) return asStored;
  const byOthers = draft.baseRevision < stored.revision && draft.sent?.includes(storedAs) !== true;
  const outcome = byOthers ? "conflict" : "restored";
  return {
    store,
    outcome,
    restore() {
      if (outcome === "conflict") store.setState({ saveState: { status: "conflict", theirs: stored } });
      store.getState().commit("Restore unsaved changes", (edited) => replaceDocument(edited, draft.document));
      store.getState().mark();
    },
  };
}
