import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";
import type { Json } from "../../engine/json.ts";
import { RunError } from "../../engine/errors.ts";

export const stop = defineNode({
  type: "stop",
  version: 1,
  role: "flow",
  title: "Stop with an error",
  summary: "Ends the run as failed, with your own error message.",
  keywords: ["throw", "exit", "fail", "end", "error", "exception", "try catch", "abort", "validate"],
  icon: "square",
  config: z.object({
    message: field(z._default(z.string().check(z.maxLength(10_000)), "The workflow stopped."), {
      label: "Error text",
      help: "What the run says about why it failed, such as: No order {{json.id}} was found.",
      control: "textarea",
      template: "text",
      required: true,
    }),
    hint: field(z._default(z.string().check(z.maxLength(2_000)), ""), {
      label: "Hint",
      help: "What to do about it. Empty: nothing is said.",
      template: "text",
    }),
  }),
  inputs: { main: one("main", { label: "Input" }) },
  // Nothing ever leaves by it; every node of a flow has one, and a turned-off node passes its input on by it.
  outputs: { main: out("main", { label: "Output" }) },
  reach: nowhere,
  describe: ({ message }) => (typeof message === "string" ? message.trim() : ""),
  run({ config: { message, hint } }): Json {
    throw new RunError({ code: "tool_error", message: message.trim(), hint: hint.trim() });
  },
});
