import { z } from "zod";
import type { ToolResult } from "../../engine/agent/tool.ts";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import type { Host } from "../../engine/host.ts";
import type { JsonObject, JsonSchema } from "../../engine/json.ts";
import { requestWords } from "../http/request-words.ts";
import { type HttpRequest, httpMethods, sendRequest } from "../http/send-request.ts";
import { sentLine } from "../http/sent-request.ts";
import { commonTool, toolFields, toolNameOf } from "./tool-fields.ts";
import { isWholeByModel } from "./whole-by-model.ts";

const toolName = "http_request";
const texts = z.record(z.string(), z.string());

const config = z.object({
  ...toolFields({ toolName, toolDescription: "Sends an HTTP request and returns status, headers and body." }),
  url: field(z.string().max(8_192).default(""), {
    label: "URL",
    help: 'The address; a part that the model fills: {{ai("id","the order number","string")}}. Empty: the model decides the whole request.',
    template: "url",
    ai: true,
    placeholder: "https://api.example.com/orders",
  }),
  allowedHosts: field(z.array(z.string().trim().min(1).max(260)).max(100).default([]), {
    label: "Allowed hosts",
    help: "Where calls may go: api.example.com, *.example.com or host:port. Empty: any public host.",
    control: "string-list",
    placeholder: "api.example.com",
  }),
  method: field(z.enum(httpMethods).default("GET"), {
    label: "Method",
    help: "The HTTP method, where a URL is given.",
  }),
  query: field(texts.default({}), {
    label: "Query",
    help: "Parameters that are added to the URL.",
    template: "text",
    ai: true,
  }),
  headers: field(texts.default({}), {
    label: "Headers",
    help: "Headers to send. Keys and passwords belong in a credential.",
    template: "header",
    ai: true,
  }),
  body: field(z.json().default(""), {
    label: "Body",
    help: "What to send with POST, PUT, PATCH and DELETE; usually JSON.",
    control: "textarea",
    template: "json",
    ai: true,
  }),
  credential: field(z.string().max(200).default(""), {
    label: "Credential",
    help: "Signs the request, out of the model's sight. Empty: none.",
    control: "credential",
    credentialTypes: ["http-basic", "http-header", "http-bearer", "http-api-key"],
  }),
  followRedirects: field(z.boolean().default(true), {
    label: "Follow redirects",
    help: "Off: a redirect is given back as it is.",
    section: "Limits",
  }),
  maxRedirects: field(z.number().int().min(0).max(5).default(5), {
    label: "Redirect limit",
    help: "The most redirects to follow.",
    section: "Limits",
    visibleWhen: { field: "followRedirects", in: [true] },
  }),
});

type Config = z.infer<typeof config>;

const textMap = { type: "object", additionalProperties: { type: "string" } };

/** What the model fills in when it decides the request. */
const openParameters: JsonSchema = {
  type: "object",
  properties: {
    url: { type: "string", minLength: 1, description: "The whole address, with https:// or http://." },
    method: { type: "string", enum: [...httpMethods], description: "GET when absent." },
    query: { ...textMap, description: "Parameters to add to the URL." },
    headers: { ...textMap, description: "Headers to send." },
    body: { description: "What to send: text, or JSON." },
  },
  required: ["url"],
  additionalProperties: false,
};

const openInput = z.object({
  url: z.string(),
  method: z.enum(httpMethods).default("GET"),
  query: texts.optional(),
  headers: texts.default({}),
  body: z.json().optional(),
});

function limits({ credential, followRedirects, maxRedirects, timeoutMs, allowedHosts }: Config) {
  const common = { credential, followRedirects, maxRedirects, timeoutMs };
  return allowedHosts.length > 0 ? { ...common, allowedHosts } : common;
}

/** The request of a call whose form the config fixes. */
function fixedRequest(filled: Config): HttpRequest {
  const { method, url, query, headers, body } = filled;
  const isEmpty = body === "" || body === null || method === "GET" || method === "HEAD";
  const json =
    typeof body === "string" &&
    /^\s*[[{]/.test(body) &&
    !isEmpty &&
    !Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  return {
    ...limits(filled),
    method,
    url,
    query,
    headers: json ? { ...headers, "content-type": "application/json" } : headers,
    ...(isEmpty ? {} : { body }),
  };
}

/** The request of a call that the model decided; the config's own headers win. */
function openRequest(config: Config, input: JsonObject): HttpRequest {
  const { url, method, query, headers, body } = openInput.parse(input);
  return {
    ...limits(config),
    method,
    url,
    ...(query ? { query } : {}),
    headers: { ...headers, ...config.headers },
    ...(body === undefined ? {} : { body }),
  };
}

/** Whether the model fills in a part of a field. */
function holdsAi(value: unknown): boolean {
  return /\bai\s*\(/.test(JSON.stringify(value ?? ""));
}

async function send(host: Host, request: HttpRequest, signal: AbortSignal): Promise<ToolResult> {
  if (request.body !== undefined && (request.method === "GET" || request.method === "HEAD")) {
    const message = `A ${request.method} request cannot carry a body.`;
    return { ok: false, error: { message, hint: "Use query parameters or POST.", code: "invalid_arguments" } };
  }
  const result = await sendRequest(host, request, signal);
  if (!result.ok) {
    const { message, hint, code } = result.error;
    return { ok: false, error: { message, hint, code } };
  }
  const { status, headers, body, truncated } = result.answer;
  const details = { status, headers, body, truncated };
  if (status >= 200 && status < 300) return { ok: true, output: details };
  return { ok: false, error: { message: `The server answered with status ${status}.`, code: "tool_error", details } };
}

export const httpRequestTool = defineNode({
  type: "http-request-tool",
  version: 1,
  role: "tool",
  title: "HTTP request",
  summary: "Lets the agent call a web API, within the hosts you allow.",
  icon: "globe",
  config,
  inputs: {},
  outputs: { tool: out("tool", { label: "Tool", side: "left" }) },
  toolName: toolNameOf(toolName),
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
  outreach: ({ method, url, allowedHosts }) => requestWords(method, url, allowedHosts),
  exposure(raw) {
    const isOpen = typeof raw["url"] !== "string" || raw["url"].trim() === "";
    // A fixed request into which the model puts nothing carries nothing away.
    const sends = isOpen || [raw["url"], raw["query"], raw["headers"], raw["body"]].some(holdsAi);
    const signed = typeof raw["credential"] === "string" && raw["credential"] !== "";
    return [...(signed ? ["private-data" as const] : []), "untrusted-input", ...(sends ? ["way-out" as const] : [])];
  },
  run({ config: settings, ai, host }) {
    const fixed = settings.url.trim() !== "";
    return {
      tools: [
        {
          ...commonTool(settings),
          parameters: fixed ? ai.parameters : openParameters,
          execute(input, { signal, callId, log }) {
            const request = fixed ? fixedRequest(ai.bind(input)) : openRequest(settings, input);
            log(...sentLine(request, callId));
            return send(host, request, signal);
          },
        },
      ],
    };
  },
});
