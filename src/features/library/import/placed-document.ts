import { placeUnplaced } from "../../../stores/editing/place-unplaced.ts";
import type { WorkflowDocument } from "../../../engine/document/workflow-document.ts";
import { nodeRegistry } from "../../../nodes/index.ts";
import type { ImportFindings } from "./read-import.ts";

/** The workflow that was read, with a tidy place for each node for which the file has none. Never rejects: without the layout they stand in a row. */
export async function placedDocument({
  document,
  unplaced,
}: Pick<ImportFindings, "document" | "unplaced">): Promise<WorkflowDocument> {
  if (unplaced.length === 0) return document;
  try {
    return await placeUnplaced(document, unplaced, nodeRegistry);
  } catch {
    return document;
  }
}
