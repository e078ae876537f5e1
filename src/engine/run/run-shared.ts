import type { WorkflowDocument } from "../document/workflow-document.ts";
import type { Host } from "../host.ts";
import type { Json, JsonObject } from "../json.ts";
import type { RunLog } from "./run-log.ts";
import type { RunPlan } from "./run-plan.ts";

/** What all parts of one run share. */
export interface RunShared {
  runId: string;
  depth: number;
  document: WorkflowDocument;
  plan: RunPlan;
  host: Host;
  log: RunLog;
  vars: JsonObject;
  /** Outputs given instead of running the node, by node id. */
  pinned: Readonly<Record<string, Json>>;
  /** Call ids used so far, so that each event's id is its own. */
  callIds: Set<string>;
}
