import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";
import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import { askAboutStep } from "../../engine/run/ask-about-step.ts";

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
  keywords: [
    "human in the loop",
    "human",
    "review",
    "confirm",
    "approve",
    "ask me",
    "permission",
    "sign off",
    "notify",
    "hitl",
  ],
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
  decides: "passage",
  reach: nowhere,
  describe: ({ message }) => (typeof message === "string" ? message : ""),
  /** Asks, and fires the output that the answer leads to. */
  async run(context) {
    const { config, json, untrusted, node, run } = context;
    const { id: nodeId, title } = node;
    const callId = ["approval", nodeId, ...run.items].join(":");
    const decision = await askAboutStep(context, { nodeId, title, callId, message: config.message, untrusted });
    if (decision.approved) return { approved: decided(json, { approved: true }) };
    const { reason, unasked } = decision;
    const told = { reason, ...(unasked ? { unasked } : {}) };
    return { declined: decided(json, { approved: false, ...told }) };
  },
});
