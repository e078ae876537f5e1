import { shareRun } from "../../engine/run/share/share-run.ts";
import type { SharedParts, SharedRun } from "../../engine/run/share/shared-run.ts";
import { cardLine } from "../../features/canvas/card-line.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import type { StoredRun } from "./open-run.ts";

/** A stored run as strangers see it. */
export function copyOfRun({ summary, document, events }: StoredRun, parts: SharedParts): SharedRun {
  const recorded = { id: summary.id, workflowId: summary.workflowId, document, events };
  return shareRun(recorded, parts, nodeRegistry, (node) => cardLine(nodeRegistry, node));
}
