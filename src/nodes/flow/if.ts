import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";
import { onErrorField } from "./error-field.ts";
import { truthOf } from "./truth-of.ts";

export const ifNode = defineNode({
  type: "if",
  version: 1,
  role: "flow",
  decides: "branch",
  title: "If",
  summary: "Takes one of two branches, depending on a condition.",
  keywords: ["condition", "else", "branch", "filter", "route", "check", "compare", "decision", "when", "validate"],
  icon: "split",
  config: z.object({
    condition: field(
      z._default(z.union([z.boolean(), z.string()], { error: "Condition must give true or false." }), ""),
      {
        label: "Condition",
        help: "Takes the True branch when this is true, otherwise the False branch. Such as {{json.count > 3}}.",
        control: "text",
        template: "value",
        required: true,
        placeholder: "{{json.count > 3}}",
      },
    ),
    onError: onErrorField,
  }),
  inputs: { main: one("main", { label: "Input" }) },
  outputs: { true: out("main", { label: "True" }), false: out("main", { label: "False" }) },
  reach: nowhere,
  errorOutput: "false",
  describe: ({ condition }) => (typeof condition === "string" ? condition : ""),
  run: ({ config, json }) => (truthOf(config.condition) ? { true: json } : { false: json }),
});
