import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { jsonValue } from "../../engine/config/json-value.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { isHookRequest } from "../../doors/hook-request.ts";
import type { Json } from "../../engine/json.ts";

const example: Json = { method: "POST", headers: { "content-type": "application/json" }, query: {}, body: {} };

export const webhookTrigger = defineNode({
  type: "webhook-trigger",
  version: 1,
  role: "trigger",
  startedBy: "request",
  title: "Webhook",
  summary: "Starts the published workflow when its address is called.",
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
  load: () => import("./webhook-trigger.run.ts"),
});
