import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";
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

export const approval = defineNode({
  type: "approval",
  version: 1,
  role: "flow",
  title: "Ask for approval",
  summary: "Asks a person, and takes one branch for yes, one for no.",
  keywords: ["human in the loop", "human", "review", "confirm", "approve"],
  icon: "hand",
  config: z.object({
    message: field(z._default(z.string().check(z.maxLength(5_000)), ""), {
      label: "Question",
      help: "What the person decides. The nodes after it get the input with `approval` added: whether it was approved and, if not, why. If nobody can be asked, or nobody answers in time, the answer is no.",
      control: "textarea",
      template: "text",
      required: true,
      placeholder: "Send the refund of {{json.amount}}?",
    }),
  }),
  inputs: { main: one("main", { label: "Input" }) },
  outputs: { approved: out("main", { label: "Approved" }), declined: out("main", { label: "Declined" }) },
  agreedOutput: "approved",
  reach: nowhere,
  describe: ({ message }) => (typeof message === "string" ? message : ""),
  /** Asks, and fires the output that the answer leads to. */
  async run(context) {
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
  },
});
