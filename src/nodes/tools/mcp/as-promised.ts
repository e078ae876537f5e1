import { boundedCheck } from "../../../engine/json-schema/bounded-check.ts";
import type { Host } from "../../../engine/host.ts";
import { isJsonObject, type JsonSchema } from "../../../engine/json.ts";
import type { ToolCallContext } from "../../../engine/tool/tool.ts";

/**
 * A tool's result held against its `outputSchema`. Structured content that does not fit, or is missing, leaves the text to speak, with
 * a line in the log: the tool has done its work, and servers are often wrong about their own schemas.
 */
export async function asPromised(
  result: Record<string, unknown>,
  schema: JsonSchema,
  host: Pick<Host, "checkSchema">,
  { signal, log }: Pick<ToolCallContext, "signal" | "log">,
): Promise<Record<string, unknown>> {
  const { structuredContent: value, content, isError } = result;
  if (isError === true) return result;
  const verdict = isJsonObject(value)
    ? await boundedCheck(host, schema, () => signal)(value)
    : { ok: false as const, reason: "It has no structured content." };
  if (verdict.ok) return result;
  const hasText = Array.isArray(content) && content.length > 0;
  log(
    `The result is not what the server's output schema promises; ${hasText ? "its text is used" : "it is used as it is"}.`,
    {
      reason: verdict.reason,
    },
  );
  return hasText ? { ...result, structuredContent: undefined } : result;
}
