import { useDocumentStore, useEditor } from "../editor/editor-context.tsx";
import { assistantStore } from "./assistant-store.ts";
import { canAssist } from "./can-assist.ts";

/** Asks the assistant why a run failed; undefined where it cannot be asked: a stored version, or the assistant itself. */
export function useWhy(runId: string): (() => void) | undefined {
  const { readOnly } = useEditor();
  const isAssistant = useDocumentStore(({ document }) => canAssist(document));
  if (readOnly || isAssistant || runId === "") return undefined;
  return () => assistantStore.getState().ask("Why did this run fail?", { runId });
}
