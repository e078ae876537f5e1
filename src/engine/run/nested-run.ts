import type { NestedRunOptions, NestedRunResult } from "../document/define-node.ts";
import type { WorkflowDocument } from "../document/workflow-document.ts";
import type { Host } from "../host.ts";
import type { Usage } from "../model/chat-model.ts";
import { RunError } from "../errors.ts";
import { isSpending, idKeys, type RunEvent, type RunEventBody } from "./events.ts";
import { joinedLimit, type SpendingLimit } from "../spending/spending-limit.ts";
import { noTaint } from "../trust/taint.ts";
import type { FlowView } from "./flow-view.ts";
import { waitUntil } from "./wait-until.ts";

const noTokens: Usage = { inputTokens: 0, outputTokens: 0 };

/**
 * Runs another workflow inside a tool call and passes its events on as part of this run: ids of nodes and edges become
 * `<ownerId>/<id>`, `parentCallId` the tool call. Approvals are asked at the owner's node. Never rejects.
 */
export async function runNested(
  flow: FlowView,
  ownerId: string,
  document: WorkflowDocument,
  {
    input,
    untrusted,
    caller,
    callId,
    signal,
    addUsage,
    spending = [],
    pausedWhile = (wait) => wait(),
  }: NestedRunOptions,
): Promise<NestedRunResult> {
  const { shared } = flow;
  const host = spendingUnder(waitingUnder(shared.host, { nodeId: ownerId, callId, pausedWhile }), spending);
  const pauser = shared.pauser.under(ownerId, pausedWhile);
  const replay = shared.replay?.nested(ownerId, callId);
  let result: NestedRunResult | undefined;
  for await (const event of shared.startNested(document, {
    // The same in every attempt, as the keys that its requests carry must be.
    runId: `${shared.runId}/${callId}`,
    input,
    untrusted,
    caller,
    signal,
    host,
    pauser,
    ...(replay ? { replay } : {}),
  })) {
    if (event.type === "run-start") continue;
    if (event.type === "run-end") {
      const taint = event.untrusted ?? noTaint;
      result = event.error
        ? { ok: false, error: event.error, untrusted: taint }
        : { ok: true, output: event.output, untrusted: taint };
      continue;
    }
    if (isSpending(event) && !event.replayed) addUsage?.(event.usage ?? noTokens, event.costUsd);
    flow.emitWithin(event.parentCallId ?? callId, namedAsAsked(placedUnder(event, ownerId), callId));
  }
  if (result) return result;
  const broken = new RunError({
    code: "internal",
    message: "The workflow ended without a result.",
    hint: "Run it again.",
  });
  return { ok: false, error: broken.data, untrusted };
}

/** What a step waits for has the name under which the host was asked, so that its log says that it is over. */
function namedAsAsked(event: RunEventBody, callId: string): RunEventBody {
  switch (event.type) {
    case "wait-start":
    case "wait-end":
      return { ...event, callId: `${callId}/${event.callId}` };
    case "approval-wait":
    case "approval-end":
      return event.edgeId === "" ? { ...event, callId: `${callId}/${event.callId}` } : event;
    default:
      return event;
  }
}

/** The event with its ids under the owner's, and without the envelope of the inner run. */
function placedUnder({ runId: _run, seq: _seq, at: _at, parentCallId: _parent, ...body }: RunEvent, owner: string) {
  const placed: RunEventBody = { ...body };
  for (const key of idKeys) {
    const id: unknown = Reflect.get(placed, key);
    if (typeof id === "string" && id !== "") Reflect.set(placed, key, `${owner}/${id}`);
  }
  if ("error" in placed && placed.error?.nodeId !== undefined) {
    placed.error = { ...placed.error, nodeId: `${owner}/${placed.error.nodeId}` };
  }
  return placed;
}

/** The host with the callers' budgets, which hold for whatever the nested run calls. */
function spendingUnder(host: Host, spending: readonly SpendingLimit[]): Host {
  return spending.length === 0
    ? host
    : { ...host, spending: joinedLimit(host.spending ? [...spending, host.spending] : spending) };
}

interface NestedPlace {
  nodeId: string;
  callId: string;
  pausedWhile: NonNullable<NestedRunOptions["pausedWhile"]>;
}

/** The host with approvals asked at the node that the person sees on the canvas, and waits named by the call they are in. */
function waitingUnder(host: Host, { nodeId, callId, pausedWhile }: NestedPlace): Host {
  return {
    ...host,
    approve: (request, signal) => {
      // A step's question has the same name each time the workflow is called; a tool's call has an id of its own.
      const id = request.message === undefined ? request.callId : `${callId}/${request.callId}`;
      return pausedWhile(() => host.approve({ ...request, callId: id, nodeId, toolNodeId: nodeId }, signal));
    },
    wait: ({ waitId, nodeId: inner, until }, signal) => {
      const request = { waitId: `${callId}/${waitId}`, nodeId: `${nodeId}/${inner}`, until };
      return pausedWhile(() => waitUntil(host, request, signal));
    },
  };
}
