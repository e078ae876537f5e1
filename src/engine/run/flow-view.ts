import type { ScratchSessions } from "../memory/scratch-memory.ts";
import type { WorkflowDocument } from "../document/workflow-document.ts";
import type { Host } from "../host.ts";
import type { Json, JsonObject } from "../json.ts";
import type { FlowTaint } from "../trust/flow-taint.ts";
import type { Provenance } from "../trust/provenance/provenance.ts";
import type { Taint } from "../trust/taint.ts";
import type { RunError, RunErrorData } from "../errors.ts";
import type { RunEvent, RunEventBody } from "./events.ts";
import type { Pauser } from "./pauser.ts";
import type { Replay } from "./replay/replay.ts";
import type { EventStamp, RunLog } from "./run-log.ts";
import type { NodePlan, RunPlan } from "./run-plan.ts";
import type { RunScope } from "./run-scope.ts";

/** What nodes, their templates and their services need of the flow that runs them. */
export interface FlowView {
  readonly shared: RunShared;
  readonly signal: AbortSignal;
  /** What its events carry. */
  readonly stamp: EventStamp;
  /** What its values carry from outside. */
  readonly taint: FlowTaint;
  /** The output of a node that has finished, in this flow or around it; pinned ones included. */
  outputOf(id: string): Json | undefined;
  /** Adds an event with this flow's stamp; -1 once the flow has ended. */
  emit(event: RunEventBody, mark?: { replayed: true }): number;
  /** The same for what happens inside a tool call. */
  emitWithin(parentCallId: string, event: RunEventBody, mark?: { replayed: true }): number;
  /** Runs the branch of a for-each for one item, as a flow of its own. */
  runBranch(plan: NodePlan, port: string, value: Json, item: number): Promise<Json>;
  /** A service's failure, to be thrown by the node it serves. */
  serviceError(error: unknown, plan: NodePlan): RunError;
}

/** What all parts of one run share. */
export interface RunShared {
  runId: string;
  depth: number;
  /** What the agent that called it knows of where values came from. */
  caller?: Provenance | undefined;
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

/** What a nested run needs besides what it inherits from the run around it. */
interface NestedStart {
  runId: string;
  input: Json;
  untrusted: Taint;
  caller: Provenance | undefined;
  signal: AbortSignal;
  host: Host;
  pauser: Pauser;
  replay?: Replay;
}

/** How a flow ended: with its output, or with the error of the node that failed. */
export type FlowResult = ({ ok: true; output: Json } | { ok: false; error: RunErrorData }) & {
  /** Where untrusted content in it came from. */
  untrusted?: Taint;
};

/** Which nodes a flow runs, and its place in the run. */
export interface FlowOptions {
  shared: RunShared;
  /** Ids of the nodes that belong to it; all others count as skipped, or as pinned. */
  members: ReadonlySet<string>;
  /** Aborts everything in it; aborted by the flow itself when a node fails. */
  controller: AbortController;
  /** Main edges that bring the first values from outside. */
  entryEdges?: ReadonlySet<string>;
  /** The flow around a for-each branch. */
  parent?: FlowView;
  stamp?: EventStamp;
}
