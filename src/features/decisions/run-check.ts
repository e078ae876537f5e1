import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { checkableCalls } from "../../evaluation/steps/checkable-calls.ts";
import { checkCalls, type CheckEnd } from "../../evaluation/steps/check-calls.ts";
import { nobodyApproves } from "../../engine/host.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import { recordingOf } from "../../engine/run/replay/recording.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { addSample, beginCheck, decisionChecks, endCheck } from "../../state/evaluation/decision-checks.ts";
import type { Services } from "../../services/services.ts";

/** A finished run whose decisions can be checked. */
export interface CheckedRun {
  runId: string;
  workflowId: string;
  document: WorkflowDocument;
  events: readonly RunEvent[];
}

/** A recorded run, and how its decisions are to be checked. */
interface CheckRequest extends CheckedRun {
  /** How often each call is made again. */
  trials: number;
  /** US dollars. */
  maxCostUsd: number;
}

/** Makes the model calls of a run again, in this tab. Does nothing while that is under way. Resolves when it is over; rejects when the run cannot be read. */
export async function runCheck({ createHost }: Pick<Services, "createHost">, request: CheckRequest): Promise<void> {
  const { runId, workflowId, document, events, trials, maxCostUsd } = request;
  if (decisionChecks.getState().checks[runId]?.status === "running") return;
  const controller = new AbortController();
  const calls = checkableCalls(events);
  const { mask = [], patterns = [] } = document.privacy ?? {};
  const isKept = mask.length + patterns.length === 0;
  beginCheck(runId, { status: "running", calls, trials, samples: {}, isKept, stop: () => controller.abort() });
  let end: CheckEnd = "stopped";
  try {
    end = await checkCalls({
      document,
      registry: nodeRegistry,
      host: { ...createHost({ workflowId, approve: nobodyApproves }), approve: nobodyApproves },
      recording: recordingOf(events, document),
      signal: controller.signal,
      calls,
      trials,
      maxCostUsd,
      onSample: (callId, sample) => addSample(runId, callId, sample),
    });
  } finally {
    endCheck(runId, end);
  }
}
