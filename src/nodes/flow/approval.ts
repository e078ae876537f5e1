import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";

export const approval = defineNode({
  type: "approval",
  version: 1,
  role: "flow",
  title: "Ask for approval",
  summary:
    "Asks a person and continues on one of two branches. On a server the run waits in the inbox for up to seven days.",
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
  load: () => import("./approval.run.ts"),
});
