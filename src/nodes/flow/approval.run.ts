import type { RunContext } from "../../engine/document/define-node.ts";
import type { ApprovalDecision } from "../../engine/host.ts";
import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import { untrustedField } from "../../engine/trust/taint.ts";

const notAsked: ApprovalDecision = {
  approved: false,
  reason: "Approval could not be requested.",
  unasked: true,
};

/** The input with what was decided: what follows goes on with the data that the question was about. */
function decided(json: Json, approval: JsonObject): JsonObject {
  return { ...(isJsonObject(json) ? json : { value: json }), approval };
}

/** Asks, and fires the output that the answer leads to. */
export async function run(context: RunContext<{ message: string }, unknown>) {
  const { config, json, untrusted, node, run, host, signal, emit } = context;
  const { message } = config;
  // The same in every attempt of the run, so that an answer is found again.
  const callId = ["approval", node.id, ...run.items].join(":");
  const because = untrustedField(untrusted);
  const asked = { nodeId: node.id, toolNodeId: node.id, callId, toolName: node.title };
  const place = { nodeId: node.id, toolNodeId: node.id, edgeId: "", callId };
  emit({ type: "approval-wait", ...place, toolName: node.title, input: { message }, ...because });
  const question = { ...asked, input: { message }, parameters: { type: "object" }, message, ...because };
  const decision = await Promise.resolve()
    .then(() => host.approve(question, signal))
    .catch(() => {
      signal.throwIfAborted();
      return notAsked;
    });
  if (decision.approved) {
    emit({ type: "approval-end", ...place, approved: true, input: { message } });
    return { approved: decided(json, { approved: true }) };
  }
  const { reason, unasked } = decision;
  const told = { reason, ...(unasked ? { unasked } : {}) };
  emit({ type: "approval-end", ...place, approved: false, input: { message }, ...told });
  return { declined: decided(json, { approved: false, ...told }) };
}
