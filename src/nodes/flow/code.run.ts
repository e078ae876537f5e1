import type { RunContext } from "../../engine/document/define-node.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { RunError } from "../../engine/errors.ts";

/** The settings of the node, once parsed. */
interface CodeConfig {
  code: string;
  inputs: JsonObject;
  timeoutMs: number;
  memoryMb: number;
}

const bytesPerMegabyte = 1_048_576;

/** What the code returns. */
export async function run({ config, json, host, signal, log }: RunContext<CodeConfig, unknown>): Promise<Json> {
  const result = await host.runCode(
    {
      code: config.code,
      args: { ...config.inputs, json },
      timeoutMs: config.timeoutMs,
      memoryBytes: config.memoryMb * bytesPerMegabyte,
    },
    signal,
  );
  for (const line of result.logs) log("info", line);
  if (result.ok) return result.output;
  throw new RunError({
    code: "tool_error",
    message: `The code failed: ${result.error}`,
    hint: "Correct the code. Lines written with console.log are in the log.",
  });
}
