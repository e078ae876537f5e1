import type { RunContext } from "../../engine/document/define-node.ts";
import { hookRequestSchema } from "../../doors/hook-request.ts";
import { isJsonObject, type Json } from "../../engine/json.ts";
import { RunError } from "../../engine/errors.ts";
import { sourceNamed } from "../../engine/trust/taint.ts";

/** The request; a test run starts with the one in the settings. */
export function run({ json, config, node, untrusted, addUntrusted }: RunContext<{ sample: Json }, unknown>): Json {
  addUntrusted(untrusted.length > 0 ? untrusted : [sourceNamed(`a request to "${node.title}"`)]);
  const isEmpty = json === null || (isJsonObject(json) && Object.keys(json).length === 0);
  const given = isEmpty ? config.sample : json;
  const request = hookRequestSchema.safeParse(isJsonObject(given) ? withoutGaps(given) : given);
  if (!request.success || !isJsonObject(given)) {
    throw new RunError({
      code: "invalid_arguments",
      message: "The webhook trigger was not given an HTTP request.",
      hint: 'Start the run with { "method": "POST", "headers": {}, "query": {}, "body": … }.',
    });
  }
  return withoutGaps(given);
}

/** A request typed by hand may leave out what it does not need. */
function withoutGaps(given: Record<string, Json>): Record<string, Json> {
  return { method: "POST", headers: {}, query: {}, body: null, ...given };
}
