import type { ScratchSessions } from "../agent/memory/scratch-memory.ts";
import type { WorkflowDocument } from "../document/workflow-document.ts";
import type { Host } from "../host.ts";
import type { Json, JsonObject } from "../json.ts";
import type { RunLog } from "./run-log.ts";
import type { RunEvent } from "./events.ts";
import type { RunScope } from "./run-scope.ts";
import type { Pauser } from "./pauser.ts";
import type { Replay } from "./replay/replay.ts";
import type { Taint } from "../trust/taint.ts";
import type { RunPlan } from "./run-plan.ts";

/** What a nested run needs besides what it inherits from the run around it. */
interface NestedStart {
  input: Json;
  untrusted: Taint;
  signal: AbortSignal;
  host: Host;
  pauser: Pauser;
  replay?: Replay;
}

/** What all parts of one run share. */
export interface RunShared {
  runId: string;
  depth: number;
  document: WorkflowDocument;
  plan: RunPlan;
  host: Host;
  log: RunLog;
  vars: JsonObject;
  /** Pinned outputs, by the id of the node that does not run. */
  pinned: Readonly<Record<string, Json>>;
  /** The same for runs inside this one. */
  scope: RunScope;
  /** The gate before nodes and calls. */
  pauser: Pauser;
  /** What is served from a recording. */
  replay?: Replay;
  /** Only in a trial run: what it adds to conversations, which is never stored. */
  scratch?: ScratchSessions;
  /** Starts a run of another workflow, one level deeper. */
  startNested(document: WorkflowDocument, options: NestedStart): AsyncIterable<RunEvent>;
  /** Called once the run has ended. */
  endWork: (() => Promise<void>)[];
}
