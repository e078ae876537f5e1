import { z } from "zod/mini";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";
import { loadOnce } from "../../engine/load-once.ts";
import { commonTool, toolFields, toolNameOf } from "./tool-fields.ts";

const toolName = "calculator";

/** The expression parser is loaded with the first calculation, not with the editor. */
const loadCalculator = loadOnce(() => import("./calculate.ts"));

const parameters = {
  type: "object",
  properties: {
    expression: {
      type: "string",
      description: "The expression to calculate, such as (12.5 + 3) * 2^4 or sqrt(2) / 3.",
    },
  },
  required: ["expression"],
  additionalProperties: false,
};

export const calculatorTool = defineNode({
  type: "calculator-tool",
  version: 1,
  role: "tool",
  title: "Calculator",
  summary: "Calculates with 15 digits, where models would guess.",
  keywords: ["math", "maths", "numbers", "sum", "add", "count", "percent", "arithmetic", "calculate"],
  icon: "calculator",
  config: z.object(
    toolFields({
      approval: "never",
      toolName,
      toolDescription:
        "Calculates an arithmetic expression: + - * / ^ (power) % (remainder), parentheses, and functions such as sqrt, abs, round, min, max, sin, cos, ln, log10, exp. Angles in radians. Results are rounded to 15 significant digits. Use it for every calculation.",
    }),
  ),
  inputs: {},
  outputs: { tool: out("tool", { label: "Tool", side: "left" }) },
  reach: nowhere,
  toolName: toolNameOf(toolName),
  describe: () => "+ − × ÷ ^ % and functions",
  run: ({ config }) => ({
    tools: [
      {
        ...commonTool(config),
        parameters,
        async execute(input) {
          const { calculate } = await loadCalculator();
          const result = calculate(String(input["expression"]));
          return result.ok
            ? { ok: true, output: result.value }
            : { ok: false, error: { message: result.message, hint: "Correct the expression and try again." } };
        },
      },
    ],
  }),
});
