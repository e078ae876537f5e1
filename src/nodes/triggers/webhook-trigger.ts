import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { jsonValue } from "../../engine/config/json-value.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { hookRequestSchema, isHookRequest } from "../../doors/hook-request.ts";
import { isJsonObject, type Json } from "../../engine/json.ts";
import { RunError } from "../../engine/errors.ts";
import { sourceNamed } from "../../engine/trust/taint.ts";

const example: Json = { method: "POST", headers: { "content-type": "application/json" }, query: {}, body: {} };

export const webhookTrigger = defineNode({
  type: "webhook-trigger",
  version: 1,
  role: "trigger",
  startedBy: "request",
  title: "Webhook",
  summary: "Starts the published workflow when its URL is called.",
  keywords: ["start", "http", "api", "url", "callback", "form", "event", "incoming", "receive", "zapier", "make"],
  icon: "webhook",
  config: z.object({
    sample: field(z._default(jsonValue(), example), {
      label: "Test request",
      help: "The request that a test run starts with: method, headers, query and body.",
      control: "hook-request",
    }),
  }),
  inputs: {},
  outputs: { main: out("main", { label: "Request" }) },
  reach: [{ to: "callers" }],
  describe: () => "Starts with each request",
  ownInput: ({ sample }) => sample ?? {},
  accepts: isHookRequest,
  outputKeys: () => ["method", "headers", "query", "body", "rawBody"],
  /** The request; a test run starts with the one in the settings. */
  run({ json, config, node, untrusted, addUntrusted }) {
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
  },
});

/** A request typed by hand may leave out what it does not need. */
function withoutGaps(given: Record<string, Json>): Record<string, Json> {
  return { method: "POST", headers: {}, query: {}, body: null, ...given };
}
