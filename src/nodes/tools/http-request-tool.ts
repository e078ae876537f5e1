import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { longestRequestMs } from "../http/http-methods.ts";
import { pagingFields, redirectFields, requestFields, requestFindings } from "../http/request-fields.ts";
import { retryFields } from "../flow/error-field.ts";
import { toolFields, toolNameOf } from "./tool-fields.ts";
import { isWholeByModel } from "./whole-by-model.ts";

const toolName = "http_request";

const config = z.object({
  ...toolFields({
    toolName,
    toolDescription: "Sends an HTTP request and returns status, headers and body.",
    approval: "ask-after-untrusted",
    longestMs: longestRequestMs,
  }),
  url: field(z._default(z.string().check(z.maxLength(8_192)), ""), {
    label: "URL",
    help: 'The address; a part that the model fills: {{ai("id","the order number","string")}}. Empty: the model decides the whole request.',
    template: "url",
    ai: true,
    placeholder: "https://api.example.com/orders",
  }),
  allowedHosts: field(
    z._default(z.array(z.string().check(z.trim(), z.minLength(1), z.maxLength(260))).check(z.maxLength(100)), []),
    {
      label: "Allowed hosts",
      help: "Where calls may go: api.example.com, *.example.com or host:port. Empty: any public host.",
      control: "string-list",
      placeholder: "api.example.com",
    },
  ),
  ...requestFields({
    methodHelp: "The HTTP method, where a URL is given.",
    bodyHelp: "What to send with POST, PUT, PATCH and DELETE; usually JSON.",
    credentialHelp: "Signs the request, out of the model's sight. Empty: none.",
    ai: true,
  }),
  ...pagingFields(),
  ...redirectFields(),
  ...retryFields("After 429, 5xx and broken connections, of GET, HEAD, PUT and DELETE."),
});

export const httpRequestTool = defineNode({
  type: "http-request-tool",
  version: 2,
  role: "tool",
  title: "HTTP request",
  summary: "Lets the agent call a web API, within the hosts you allow.",
  icon: "globe",
  config,
  inputs: {},
  outputs: { tool: out("tool", { label: "Tool", side: "left" }) },
  reach: [{ to: "host", url: "url", method: "method", allowedHosts: "allowedHosts", credential: "credential" }],
  toolName: toolNameOf(toolName),
  migrate(raw, fromVersion) {
    const { timeoutMs } = raw;
    // More was never waited for.
    const isTooLong = fromVersion < 2 && typeof timeoutMs === "number" && timeoutMs > longestRequestMs;
    return isTooLong ? { ...raw, timeoutMs: longestRequestMs } : raw;
  },
  check: requestFindings,
  describe(raw) {
    const url = raw["url"];
    if (typeof url === "string" && url.trim() !== "") {
      const method = String(raw["method"] ?? "GET");
      return isWholeByModel(url)
        ? `${method} · URL from the model`
        : `${method} ${url.trim().replace(/^https?:\/\//i, "")}`;
    }
    const hosts = raw["allowedHosts"];
    return Array.isArray(hosts) && hosts.length > 0 ? hosts.join(", ") : "Any public host";
  },
  load: () => import("./http-request-tool.run.ts"),
});
