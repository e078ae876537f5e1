import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { placeUnplaced } from "./place-unplaced.ts";
import { tidyCrowded } from "./tidy-crowded.ts";

interface ReadWorkflow {
  document: WorkflowDocument;
  /** The ids of nodes for which the file has no place. */
  unplaced: readonly string[];
  /** What became of another builder's workflow; absent for Switchyard's own. */
  report?: object | undefined;
}

/**
 * The workflow that was read, with a tidy place for each node for which the file has none; another builder's is laid out anew where
 * its cards, which have other sizes there, would lie on one another. Never rejects: without the layout they stand as in the file.
 */
export async function placedDocument({ document, unplaced, report }: ReadWorkflow): Promise<WorkflowDocument> {
  try {
    const placed = unplaced.length === 0 ? document : await placeUnplaced(document, unplaced, nodeRegistry);
    return report === undefined ? placed : await tidyCrowded(placed, nodeRegistry);
  } catch {
    return document;
  }
}
