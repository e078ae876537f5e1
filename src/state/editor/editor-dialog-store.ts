import { useStore } from "zustand";
import type { StoredWorkflow } from "../../services/services.ts";
import { createStore } from "zustand/vanilla";

/** The parts of Publish. */
export type PublishTab = "version" | "where" | "limits";

/** What opens over the whole editor, at a tab of its own. `text` is a file or a paste that is read at once. */
type EditorDialog =
  | { kind: "versions" }
  | { kind: "publish"; tab?: PublishTab }
  | { kind: "server-start" }
  | { kind: "settings" }
  | { kind: "privacy" }
  | { kind: "review" }
  | { kind: "import-report" }
  | { kind: "share" }
  | { kind: "share-run"; runId: string }
  | { kind: "save-case"; runId: string }
  | { kind: "openapi" }
  | { kind: "import"; text?: string; fileName?: string };

interface EditorDialogState {
  dialog: EditorDialog | null;
  /** The stored version of a conflict that the person wants to decide later. */
  postponed: StoredWorkflow | null;
  postpone(theirs: StoredWorkflow | null): void;
  show(dialog: EditorDialog): void;
  close(): void;
}

/** One dialog at a time, for the whole page. */
export const editorDialogStore = createStore<EditorDialogState>()((set) => ({
  dialog: null,
  postponed: null,
  postpone: (postponed) => set({ postponed }),
  show: (dialog) => set({ dialog }),
  close: () => set({ dialog: null }),
}));

export function useEditorDialog<Value>(selector: (state: EditorDialogState) => Value): Value {
  return useStore(editorDialogStore, selector);
}
