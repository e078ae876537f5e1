import type { Json } from "../json.ts";
import type { RunError } from "./errors.ts";
import type { RunEventBody } from "./events.ts";
import type { NodePlan } from "./run-plan.ts";
import type { EventStamp } from "./run-log.ts";
import type { RunShared } from "./run-shared.ts";
import type { FlowTaint } from "../trust/flow-taint.ts";

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
