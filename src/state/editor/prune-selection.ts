import type { CanvasStore } from "./canvas-store.ts";
import type { DocumentStore } from "../document/document-store.ts";

/**
 * Takes what leaves the document out of the selection, whichever way it went: undo, redo, another tab's version. Returns
 * the way to stop.
 */
export function pruneSelection(document: DocumentStore, canvas: CanvasStore): () => void {
  return document.subscribe(({ document: now }, { document: before }) => {
    if (now.nodes === before.nodes && now.edges === before.edges) return;
    const { selection, select } = canvas.getState();
    select(
      Object.keys(selection.nodes).filter((id) => id in now.nodes),
      Object.keys(selection.edges).filter((id) => id in now.edges),
    );
  });
}
