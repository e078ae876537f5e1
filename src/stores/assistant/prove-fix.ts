import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Host } from "../../engine/host.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import { recordingOf } from "../../engine/run/replay/recording.ts";
import type { ReplayOptions } from "../../engine/run/replay/replay-options.ts";
import { runWorkflow } from "../../engine/run/run-workflow.ts";
import type { ReadRun } from "./desk.ts";

/** What a proposed fix did to the recorded failure. */
export interface Proof {
  kind: "fixed" | "still-fails" | "not-reproduced";
  /** A sentence for the person. */
  reason: string;
  /** What the run with the fix did; empty where the failure was not reproduced. */
  events: readonly RunEvent[];
}

interface ProveOptions {
  run: ReadRun;
  /** The workflow with the fix. */
  fixed: WorkflowDocument;
  registry: NodeRegistry;
  /** Its calls are real, where the recording does not have them. */
  host: Host;
  signal: AbortSignal;
}

/** The first failure of a run: what of which node, and where its call began. */
interface Failure {
  event: Extract<RunEvent, { type: "node-error" | "tool-call-end" }>;
  begin: number;
}

/**
 * Runs a failed run again from its recording: first as it was, which has to fail again, then with the fix. With the fix, what came
 * before the failing call is served, and the rest is done for real, except for what may change something outside. Never rejects.
 */
export async function proveFix({ run, fixed, registry, host, signal }: ProveOptions): Promise<Proof> {
  const failure = failureIn(run.events);
  if (failure === undefined)
    return {
      kind: "not-reproduced",
      reason: "No step of the run failed, so there is nothing to reproduce.",
      events: [],
    };
  const replay = async (document: WorkflowDocument, options: Omit<ReplayOptions, "serve" | "mayWrite">) => {
    const start = run.events.find((event) => event.type === "run-start");
    const events: RunEvent[] = [];
    const again = runWorkflow(document, {
      registry,
      host,
      input: start?.input ?? null,
      signal,
      scratch: new Map(),
      replay: { serve: "exchanges", mayWrite: [], ...options },
    });
    for await (const event of again) events.push(event);
    return events;
  };
  const before = await replay(run.document, { recording: recordingOf(run.events, run.document), onMismatch: "stop" });
  if (signal.aborted) return { kind: "not-reproduced", reason: "It was stopped.", events: [] };
  if (!before.some((event) => isSameFailure(event, failure)))
    return {
      kind: "not-reproduced",
      reason: "Run again from its recording, the workflow did not fail at the same step.",
      events: [],
    };
  const held: string[] = [];
  const after = await replay(fixed, {
    recording: recordingOf(run.events.filter(({ seq }) => seq < failure.begin)),
    onMismatch: "live",
    onMiss: ({ message }) => void held.push(message),
  });
  if (signal.aborted) return { kind: "not-reproduced", reason: "It was stopped.", events: [] };
  const end = after.findLast((event) => event.type === "run-end");
  const again = after.find((event) => isSameFailure(event, failure));
  if (again !== undefined) return { kind: "still-fails", reason: wordsOf(again), events: after };
  if (end?.outcome === "completed")
    return {
      kind: "fixed",
      reason: "With the changes the run goes past the failing step and completes.",
      events: after,
    };
  const heldBack = held.find((message) => end?.error?.message === message && message.includes("may change something"));
  if (heldBack !== undefined)
    return {
      kind: "fixed",
      reason: `With the changes the run goes past the failing step. It was stopped there: ${heldBack}`,
      events: after,
    };
  return {
    kind: "still-fails",
    reason: end?.error ? `${end.error.message} ${end.error.hint}` : "The run did not complete.",
    events: after,
  };
}

/** The failure that ended the run, else the first tool call that failed. */
export function failureIn(events: readonly RunEvent[]): Failure | undefined {
  const end = events.findLast((event) => event.type === "run-end");
  const failed = events.filter((event) => event.type === "node-error" || (event.type === "tool-call-end" && !event.ok));
  const ended =
    end?.outcome === "failed" ? failed.find((event) => event.type === "node-error" && !event.handled) : undefined;
  const tool = failed.find((event) => event.type === "tool-call-end");
  const event = tool ?? ended ?? failed[0];
  if (event === undefined || (event.type !== "node-error" && event.type !== "tool-call-end")) return undefined;
  const begin = events.findLast(
    (other) =>
      other.seq <= event.seq &&
      (event.type === "tool-call-end"
        ? other.type === "tool-call-start" && other.callId === event.callId
        : other.type === "node-start" && other.nodeId === event.nodeId),
  );
  return { event, begin: begin?.seq ?? event.seq };
}

function isSameFailure(event: RunEvent, { event: failure }: Failure): boolean {
  if (event.type === "node-error" && failure.type === "node-error")
    return event.nodeId === failure.nodeId && event.error.code === failure.error.code;
  return (
    event.type === "tool-call-end" &&
    failure.type === "tool-call-end" &&
    !event.ok &&
    event.toolNodeId === failure.toolNodeId &&
    event.nodeId === failure.nodeId
  );
}

function wordsOf(event: RunEvent): string {
  if (event.type === "node-error") return `${event.error.message} ${event.error.hint}`;
  return event.type === "tool-call-end" ? `The call of ${event.toolName} fails again: ${event.text.slice(0, 300)}` : "";
}
