import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Host } from "../../engine/host.ts";
import { messageText } from "../../engine/model/message.ts";
import type { Breakpoints } from "../../engine/run/breakpoints.ts";
import type { RunErrorData } from "../../engine/errors.ts";
import type { EventOf } from "../../engine/run/events.ts";
import type { Recording } from "../../engine/run/replay/recording.ts";
import { callStart } from "../../engine/run/replay/fork-point.ts";
import { recordedPart } from "../../engine/run/replay/recorded-part.ts";
import { runWorkflow } from "../../engine/run/run-workflow.ts";
import { type Decision, decisionOf } from "./decision.ts";

/** What making a call again needs. */
export interface SampleOptions {
  /** The workflow as the recorded run had it. */
  document: WorkflowDocument;
  registry: NodeRegistry;
  host: Host;
  recording: Recording;
  signal: AbortSignal;
}

/** One more answer to a recorded request, or why there is none. `costUsd` is null when the model's price is not known. */
export type Sample =
  | { ok: true; decision: Decision; text: string; costUsd: number | null }
  | { ok: false; error: RunErrorData; costUsd: number | null };

/**
 * Makes one recorded model call again: all before it is served from the recording, and the run is over with the answer. No tool is
 * called, no other node runs and no conversation changes. Undefined when it was stopped. Never rejects.
 */
export async function sampleCall(callId: string, options: SampleOptions): Promise<Sample | undefined> {
  const { document, registry, recording } = options;
  const over = new AbortController();
  const signal = AbortSignal.any([options.signal, over.signal]);
  const part = recordedPart(recording.events, document, registry);
  if (part === undefined) return unknownPart;
  const { input } = recording.events.find((event) => event.type === "run-start") ?? { input: null };
  // What is held stays so until the answer has ended the run.
  const held = (): Promise<never> =>
    new Promise((_resolve, reject) => {
      const end = (): void => reject(new Error("The call was made."));
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
    });
  const run = runWorkflow(document, {
    registry,
    host: { ...options.host, pause: held },
    ...part,
    input,
    signal,
    replay: { recording, until: callId },
    breakpoints: onlyThisCall(recording, callId),
  });
  let sample: Sample | undefined;
  for await (const event of run) {
    if (event.type === "model-response" && !event.replayed && !sample) {
      sample = readSample(event);
      if (sample?.ok) over.abort();
    }
    if (event.type === "run-end" && !sample && event.error)
      sample = { ok: false, error: event.error, costUsd: event.costUsd };
  }
  return options.signal.aborted ? undefined : (sample ?? notMade);
}

const unknownPart: Sample = {
  ok: false,
  error: {
    code: "invalid_config",
    message: "The run covered only part of the workflow, and which part was not stored.",
    hint: "Run that part again in the editor, and check the new run.",
    retryable: false,
  },
  costUsd: 0,
};

/** The run ended by itself before it came to the call. */
const notMade: Sample = {
  ok: false,
  error: {
    code: "internal",
    message: "The run did not reach this call again.",
    hint: "Nodes that draw at random or depend on the time can take another way. Check other calls, or fork from here.",
    retryable: false,
  },
  costUsd: 0,
};

function readSample({ error, message, finishReason, costUsd }: EventOf<"model-response">): Sample | undefined {
  // What can be tried again is, by the agent itself.
  if (error) return error.retryable ? undefined : { ok: false, error, costUsd };
  if (finishReason === "cancelled") return undefined;
  return { ok: true, decision: decisionOf(message), text: messageText(message), costUsd };
}

/** Holds everything that the recorded run had not begun by then, but for one call of the model. */
function onlyThisCall(recording: Recording, callId: string): Breakpoints {
  const from = callStart(recording, callId) ?? Infinity;
  const call = recording.events.find((event) => event.seq === from);
  const agentId = call && "nodeId" in call ? call.nodeId : undefined;
  const begun = new Set(
    recording.events.flatMap((event) => (event.type === "node-start" && event.seq < from ? [event.nodeId] : [])),
  );
  let made = false;
  return {
    holdsAt({ kind, nodeId }) {
      if (kind === "node") return !begun.has(nodeId);
      if (kind === "tool-call" || nodeId !== agentId || made) return true;
      made = true;
      return false;
    },
  };
}
