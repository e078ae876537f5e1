import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import { type RecorderOptions, recordRun } from "./run-recorder.ts";
import { listUntilStored } from "./unstored-runs.ts";

/** What a run was made of. */
interface RunOf {
  workflowId: string;
  document: WorkflowDocument;
  registry: NodeRegistry;
  /** A test made it. */
  isTrial?: boolean;
}

/** Stores a finished run among those of its workflow, in the background; what cannot be stored is tried again as for any run. */
export function storeRun(
  repository: RecorderOptions["repository"],
  { workflowId, document, registry, isTrial = false }: RunOf,
  events: readonly RunEvent[],
): void {
  const start = events.find((event) => event.type === "run-start");
  if (!start) return;
  const { runId, input, at, forkedFrom } = start;
  const isOwn = forkedFrom === undefined || forkedFrom.runId === "";
  const recorder = recordRun(
    { id: runId, workflowId, input, document, startedAt: at, isTrial, ...(isOwn ? {} : { forkedFrom }) },
    { repository, registry, onState: () => {} },
  );
  listUntilStored(runId, recorder.done);
  for (const event of events) recorder.push(event);
}
