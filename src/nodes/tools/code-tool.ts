import { z } from "zod";
import { field } from "../../engine/config/field.ts";
import { jsonSchemaValue } from "../../engine/config/schema-problem.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import type { JsonSchema } from "../../engine/json.ts";
import { commonTool, toolFields, toolNameOf } from "./tool-fields.ts";

const toolName = "run_code";
const bytesPerMegabyte = 1_048_576;
/** The sandbox stops the code itself, with better words than the tool's own limit, which starts with the worker. */
const graceMs = 2_000;

const noParameters: JsonSchema = { type: "object", properties: {}, required: [], additionalProperties: false };

export const codeTool = defineNode({
  type: "code-tool",
  version: 1,
  role: "tool",
  title: "Code tool",
  summary: "Lets the agent run your JavaScript with arguments that it fills in, in a sandbox without network.",
  icon: "terminal",
  config: z.object({
    ...toolFields({ toolName, toolDescription: "Runs a function and returns its result.", approval: "never" }),
    parameters: field(
      jsonSchemaValue()
        .refine((schema) => schema["type"] === "object", 'The schema must be of type "object".')
        .default(noParameters),
      {
        label: "Arguments",
        help: "What the model fills in. Each one is a variable of the code.",
        control: "parameters",
      },
    ),
    code: field(z.string().max(100_000).default("return null;"), {
      label: "Code",
      help: "The body of a JavaScript function: sees the arguments by name, all of them as args, and returns the result.",
      control: "code",
      codeNames: ["args"],
      codeNamesFrom: "parameters",
      required: true,
    }),
    memoryMb: field(z.number().int().min(1).max(256).default(32), {
      label: "Memory limit (MB)",
      help: "Code that needs more is stopped.",
      section: "Limits",
    }),
  }),
  inputs: {},
  outputs: { tool: out("tool", { label: "Tool", side: "left" }) },
  reach: [{ to: "code" }],
  toolName: toolNameOf(toolName),
  describe: ({ code }) => firstLine(typeof code === "string" ? code : ""),
  run: ({ config, host }) => ({
    tools: [
      {
        ...commonTool(config),
        timeoutMs: config.timeoutMs + graceMs,
        parameters: config.parameters,
        async execute(args, { signal, log }) {
          const { code, timeoutMs, memoryMb } = config;
          const memoryBytes = memoryMb * bytesPerMegabyte;
          const result = await host.runCode({ code, args, timeoutMs, memoryBytes }, signal);
          for (const line of result.logs) log(line);
          if (result.ok) return { ok: true, output: result.output };
          const message = `The code failed: ${result.error}`;
          return { ok: false, error: { message, code: "tool_error" } };
        },
      },
    ],
  }),
});

/** The first line that says something; comments and empty lines do not. */
function firstLine(code: string): string {
  const lines = code.split("\n").map((line) => line.trim());
  return lines.find((line) => line !== "" && !line.startsWith("//")) ?? lines[0] ?? "";
}
