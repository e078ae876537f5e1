import type { WorkflowDocument } from "../document/workflow-document.ts";
import type { Json } from "../json.ts";
import type { EventOf, RunEvent, RunEventType } from "../run/events.ts";
import { runWorkflow, type RunOptions } from "../run/run-workflow.ts";
import { sampleRegistry } from "./sample-nodes.ts";
import { testHost } from "./test-host.ts";

/** Runs a workflow of sample nodes on a test host and gives all its events. */
export async function collectRun(
  document: WorkflowDocument,
  input: Json = {},
  options: Partial<RunOptions> = {},
): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  const all = { registry: sampleRegistry, host: testHost(), input, ...options };
  for await (const event of runWorkflow(document, all)) events.push(event);
  return events;
}

/** The events of one type. */
export function ofType<Type extends RunEventType>(events: readonly RunEvent[], type: Type): EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type);
}

/** The run's end, which every run has. */
export function endOf(events: readonly RunEvent[]): EventOf<"run-end"> {
  const [end] = ofType(events, "run-end");
  if (!end) throw new Error("The run has no end.");
  return end;
}

/** The ids of nodes that started, in order. */
export function startedNodes(events: readonly RunEvent[]): string[] {
  return ofType(events, "node-start").map((event) => event.nodeId);
}
