import type { WorkflowDocument } from "../document/workflow-document.ts";
import type { EventOf, RunEvent, RunEventType } from "../run/events.ts";
import { type RunOptions, runWorkflow } from "../run/run-workflow.ts";

/** All events of a finished run. */
export interface FinishedRun {
  events: RunEvent[];
  end: EventOf<"run-end">;
  /** The events of one type. */
  of<Type extends RunEventType>(type: Type): EventOf<Type>[];
}

/** Runs a workflow to its end and gives all its events. Throws when there is no `run-end`. */
export async function runToEnd(document: WorkflowDocument, options: RunOptions): Promise<FinishedRun> {
  const events: RunEvent[] = [];
  for await (const event of runWorkflow(document, options)) events.push(event);
  function of<Type extends RunEventType>(type: Type): EventOf<Type>[] {
    return events.filter((event): event is EventOf<Type> => event.type === type);
  }
  const end = of("run-end")[0];
  if (!end) throw new Error("The run had no end.");
  return { events, end, of };
}
