import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { jsonValue } from "../../engine/config/json-value.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { many, out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";
import { RunError } from "../../engine/errors.ts";
import { guardFields, toolNameOf } from "../tools/tool-fields.ts";

const placeholderFields = {
  sourceType: field(z._default(z.string().check(z.maxLength(200)), ""), {
    label: "What it was",
    help: "The type of the node where this workflow came from.",
  }),
  instead: field(z._default(z.string().check(z.maxLength(2_000)), ""), {
    label: "What to use instead",
    help: "How to get the same result here.",
    control: "textarea",
  }),
  settings: field(z._default(jsonValue(), {}), {
    label: "Its settings",
    help: "As they were there. Nothing reads them; they are kept for you to look up.",
    control: "json",
  }),
};

const hintOf = (instead: string) =>
  instead === "" ? "Replace it by a node that does the same, or turn it off." : instead;

export const placeholder = defineNode({
  type: "placeholder",
  version: 1,
  role: "flow",
  title: "Placeholder",
  summary:
    "Keeps the place and the settings of an imported step that has no counterpart here. A run that reaches it fails.",
  icon: "circle-question-mark",
  hidden: true,
  config: z.object(placeholderFields),
  inputs: { main: many("main", { label: "Input" }) },
  outputs: { main: out("main", { label: "Output" }) },
  reach: nowhere,
  describe: ({ sourceType }) => (typeof sourceType === "string" ? sourceType : ""),
  run({ config, node }) {
    throw new RunError({
      code: "invalid_config",
      message: `"${node.title}" is a placeholder for "${config.sourceType}", which was imported and cannot run here.`,
      hint: hintOf(config.instead),
    });
  },
});

const toolName = "placeholder";

export const placeholderTool = defineNode({
  type: "placeholder-tool",
  version: 1,
  role: "tool",
  title: "Placeholder tool",
  summary: "Keeps the place and the settings of an imported tool that has no counterpart here. Calls of it fail.",
  icon: "circle-question-mark",
  hidden: true,
  config: z.object({
    ...placeholderFields,
    toolName: field(
      z._default(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/, "Use 1–64 letters, digits, _ or -.")), toolName),
      { label: "Tool name", help: "The name that the model calls it by.", required: true },
    ),
    ...guardFields("never"),
  }),
  inputs: {},
  outputs: { tool: out("tool", { label: "Tool", side: "left" }) },
  reach: nowhere,
  toolName: toolNameOf(toolName),
  describe: ({ sourceType }) => (typeof sourceType === "string" ? sourceType : ""),
  run({ config }) {
    const { toolName: name, approval, timeoutMs, maxResultChars } = config;
    const message = `The tool "${name}" is a placeholder for "${config.sourceType}", which was imported and cannot run here.`;
    return {
      tools: [
        {
          name,
          description: "Not available in this workflow yet; calls of it fail.",
          approval,
          timeoutMs,
          maxResultChars,
          parameters: { type: "object", properties: {}, additionalProperties: true },
          execute: () => Promise.resolve({ ok: false, error: { message, hint: hintOf(config.instead) } }),
        },
      ],
    };
  },
});
