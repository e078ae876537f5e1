import type { ToolSet } from "../../engine/tool/tool.ts";
import type { RunContext } from "../../engine/document/define-node.ts";
import { isJsonObject, type JsonObject, type JsonSchema } from "../../engine/json.ts";
import { declaredIn } from "./declared-arguments.ts";
import { commonTool, type ToolConfig } from "./tool-fields.ts";

const bytesPerMegabyte = 1_048_576;

/** The settings of the node, once parsed. Times in milliseconds. */
interface CodeToolConfig extends ToolConfig {
  parameters: JsonSchema;
  inputs: JsonObject;
  code: string;
  memoryMb: number;
}

/** One tool, whose calls run the code. */
export const run = ({ config, host }: RunContext<CodeToolConfig, unknown>): ToolSet => ({
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
        const result = await host.runCode({ code, args: filled, inputs, declared, timeoutMs, memoryBytes }, signal);
        for (const line of result.logs) log(line);
        if (result.ok) return { ok: true, output: result.output };
        const message = `The code failed: ${result.error}`;
        return { ok: false, error: { message, code: "tool_error" } };
      },
    },
  ],
});

/** What arguments are that the model leaves out, where the schema says it. */
function defaultsOf(schema: JsonSchema): JsonObject {
  return Object.fromEntries(
    Object.entries(declaredIn(schema)).flatMap(([name, inner]) => {
      const value = isJsonObject(inner) ? inner["default"] : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
