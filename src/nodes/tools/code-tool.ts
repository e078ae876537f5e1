import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { jsonSchemaValue } from "../../engine/config/schema-problem.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { isJsonObject, type JsonObject, type JsonSchema } from "../../engine/json.ts";
import { taintOfFiles } from "../../engine/model/attachments.ts";
import { untrustedField } from "../../engine/trust/taint.ts";
import { codeFilesHelp, filesForCode, withMadeFiles } from "../flow/code-files.ts";
import { codeInputs } from "../flow/code-inputs.ts";
import { declaredIn } from "./declared-arguments.ts";
import { commonTool, toolFields, toolNameOf } from "./tool-fields.ts";

const toolName = "run_code";
const usual = { toolName, toolDescription: "Runs a function and returns its result." };
const noParameters: JsonSchema = { type: "object", properties: {}, required: [], additionalProperties: false };

const example = `// Puts the arguments into one text, a line for each.
const lines = Object.entries(args).map(([name, value]) => name + ": " + value);
return lines.join("\\n");`;

const bytesPerMegabyte = 1_048_576;

export const codeTool = defineNode({
  type: "code-tool",
  version: 1,
  role: "tool",
  title: "Code tool",
  summary: "Lets the agent run your JavaScript in a sandbox.",
  keywords: [
    "javascript",
    "function",
    "script",
    "custom tool",
    "python",
    "js",
    "typescript",
    "date",
    "convert",
    "parse",
    "random",
    "time",
  ],
  icon: "terminal",
  config: z.object({
    ...toolFields({ ...usual, approval: "never" }),
    parameters: field(
      z._default(
        jsonSchemaValue().check(
          z.refine((schema) => schema["type"] === "object", 'The schema must be of type "object".'),
        ),
        noParameters,
      ),
      {
        label: "Arguments",
        help: "What the model fills in. Each one is a variable in the code.",
        control: "parameters",
      },
    ),
    inputs: codeInputs(
      "More values for the code, which the model does not see, such as {{json.userId}}, {{nodes.find_customer}} or {{vars.region}}.",
    ),
    code: field(z._default(z.string().check(z.maxLength(100_000)), "return null;"), {
      label: "Code",
      help: "JavaScript that returns the result. It has Intl, URL, crypto, timers and files, but no network or modules.",
      control: "code",
      codeNames: { args: "All arguments in one object", files: codeFilesHelp },
      codeNamesFrom: "parameters",
      codeNamesOf: "inputs",
      codeReturns: "What the model reads: an object, a list, a text, a number, true, false or null",
      codeExample: example,
      required: true,
    }),
    memoryMb: field(z._default(z.int().check(z.minimum(1), z.maximum(256)), 32), {
      label: "Memory limit (MB)",
      help: "Code that needs more is stopped.",
      section: "Limits",
    }),
  }),
  inputs: {},
  outputs: { tool: out("tool", { label: "Tool", side: "left" }) },
  reach: [{ to: "code" }],
  check({ parameters, inputs }) {
    const declared = declaredIn(parameters);
    const twice = Object.keys(isJsonObject(inputs) ? inputs : {}).find((name) => Object.hasOwn(declared, name));
    if (twice === undefined) return [];
    return [
      {
        field: "inputs",
        severity: "error",
        message: `"${twice}" is both an argument and an input.`,
        hint: "Give one of them another name.",
      },
    ];
  },
  toolName: toolNameOf(toolName),
  describe: ({ toolDescription, code }) =>
    typeof toolDescription === "string" && !["", usual.toolDescription].includes(toolDescription.trim())
      ? toolDescription.trim()
      : firstLine(typeof code === "string" ? code : ""),
  /** One tool, whose calls run the code. */
  run({ config, host, files }) {
    return {
      tools: [
        {
          ...commonTool(config),
          // The sandbox stops the code itself: waiting for the sandbox does not count.
          timeoutMs: Infinity,
          parameters: config.parameters,
          async execute(args, { signal, log }) {
            const { code, inputs, timeoutMs, memoryMb } = config;
            const memoryBytes = memoryMb * bytesPerMegabyte;
            const declared = Object.keys(declaredIn(config.parameters));
            const filled = { ...defaultsOf(config.parameters), ...args };
            const options = { files, signal };
            const { given, read } = await filesForCode(code, [filled, inputs], memoryBytes, options);
            const request = { code, args: filled, inputs, declared, timeoutMs, memoryBytes };
            const result = await host.runCode(given ? { ...request, files: given } : request, signal);
            for (const line of result.logs) log(line);
            const taint = untrustedField(taintOfFiles(read));
            if (result.ok) {
              return { ok: true, output: await withMadeFiles(result.output, result.made, options), ...taint };
            }
            const message = `The code failed: ${result.error}`;
            return { ok: false, error: { message, code: "tool_error" } };
          },
        },
      ],
    };
  },
});

/** The first line that says something; comments and empty lines do not. */
function firstLine(code: string): string {
  const lines = code.split("\n").map((line) => line.trim());
  return lines.find((line) => line !== "" && !line.startsWith("//")) ?? lines[0] ?? "";
}

/** What arguments are that the model leaves out, where the schema says it. */
function defaultsOf(schema: JsonSchema): JsonObject {
  return Object.fromEntries(
    Object.entries(declaredIn(schema)).flatMap(([name, inner]) => {
      const value = isJsonObject(inner) ? inner["default"] : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
