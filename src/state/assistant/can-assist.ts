import { studioTools } from "../../nodes/tools/studio-tools.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";

/** Whether a workflow can be the assistant: it has the studio's tools. */
export function canAssist({ nodes }: Pick<WorkflowDocument, "nodes">): boolean {
  return Object.values(nodes).some(({ type, disabled }) => type === studioTools.type && disabled !== true);
}
