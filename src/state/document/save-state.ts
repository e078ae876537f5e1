import type { StoredWorkflow } from "../../services/services.ts";

/** How far the document on screen is kept. Exactly one holds at any time. */
export type SaveState =
  | { status: "saved" }
  /** Edited; the write is about to start. */
  | { status: "dirty" }
  | { status: "saving" }
  /** No connection: edits wait in this browser and are sent when it is back. */
  | { status: "offline" }
  /** Someone else saved in between; nothing is written until a person decides. */
  | { status: "conflict"; theirs: StoredWorkflow }
  | { status: "error"; message: string; hint: string };

/** The state in the words of the top bar. */
export function describeSaveState(state: SaveState): string {
  switch (state.status) {
    case "saved":
      return "Saved";
    case "dirty":
      return "Unsaved changes";
    case "saving":
      return "Saving…";
    case "offline":
      return "Offline, kept in this browser";
    case "conflict":
      return "Changed elsewhere";
    case "error":
      return "Not saved";
  }
}
