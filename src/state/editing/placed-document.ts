import { tidyCrowded } from "../../../state/editing/tidy-crowded.ts";
import { placeUnplaced } from "../../../state/editing/place-unplaced.ts";
import type { WorkflowDocument } from "../../../engine/document/workflow-document.ts";
import { nodeRegistry } from "../../../nodes/index.ts";
import type { ImportFindings } from "./read-import.ts";

/**
 * The workflow that was read, with a tidy place for each node for which the file has none; another builder's is laid out anew where
 * its cards, which have other sizes there, would lie on one another. Never rejects: without the layout they stand as in the file.
 */
export async function placedDocument({
  document,
  unplaced,
  report,
}: Pick<ImportFindings, "document" | "unplaced" | "report">): Promise<WorkflowDocument> {
  try {
    const placed = unplaced.length === 0 ? document : await placeUnplaced(document, unplaced, nodeRegistry);
    return report === undefined ? placed : await tidyCrowded(placed, nodeRegistry);
  } catch {
    return document;
  }
}
