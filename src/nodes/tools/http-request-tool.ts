import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode, type RunContext } from "../../engine/document/define-node.ts";
import type { RunFiles } from "../../engine/file/run-files.ts";
import { out } from "../../engine/document/ports.ts";
import type { Tool, ToolResult } from "../../engine/tool/tool.ts";
import type { JsonObject, JsonSchema } from "../../engine/json.ts";
import { sourceOfUrl } from "../../engine/trust/taint.ts";
import {
  httpMethods,
  isPassing,
  isRepeatable,
  isWriting,
  longestRequestMs,
  retryAfterOf,
} from "../http/http-methods.ts";
import { withIdempotencyKey } from "../http/idempotency-key.ts";
import {
  pagingFields,
  type PagingSettings,
  redirectFields,
  requestFields,
  requestFindings,
  type RequestSettings,
} from "../http/request-fields.ts";
import { repeatIfKeyed, repeatsOf, retryFields, toolAfterCrash } from "../flow/error-field.ts";
import { carried, carriedQuery, formBody } from "../http/carried.ts";
import { sendPages } from "../http/send-pages.ts";
import type { Sender } from "../http/send-request.ts";
import type { HttpRequest } from "../http/sent-request.ts";
import { commonTool, toolFields, toolNameOf } from "./tool-fields.ts";
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
    help: 'The address to call. {{ai("id","the order number","string")}} lets the model fill in a part. Empty: the model decides the whole request.',
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
    methodHelp: "GET reads, POST sends. Without a URL the model chooses the method as well.",
    bodyHelp: "What to send with POST, PUT, PATCH and DELETE; usually JSON.",
    credentialHelp: "The key to send with the request. The model never sees it. Empty: none.",
    ai: true,
  }),
  ...pagingFields(),
  ...redirectFields(),
  content: field(
    z._default(z.array(z.string().check(z.trim(), z.minLength(1), z.maxLength(64))).check(z.maxLength(50)), []),
    {
      label: "Text-only arguments",
      help: "Arguments that only carry text, such as a message body. After text from outside, these ask only if they hold an address that nobody gave.",
      control: "string-list",
      placeholder: "text",
      section: "Limits",
    },
  ),
  readOnly: field(z._default(z.boolean(), false), {
    label: "Only reads",
    help: "The request changes and sends nothing, whatever the model fills in. It then asks only about addresses. Only where the URL is fixed.",
    section: "Limits",
  }),
  ...retryFields(
    "How often to try again when the server is busy or fails, or the connection breaks. Only GET, HEAD, PUT and DELETE.",
  ),
  afterCrash: toolAfterCrash(repeatIfKeyed),
});

type Config = z.infer<typeof config>;

export const httpRequestTool = defineNode({
  type: "http-request-tool",
  version: 2,
  role: "tool",
  title: "HTTP request",
  summary: "Lets the agent call a web API on hosts you allow.",
  keywords: [
    "api",
    "rest",
    "fetch",
    "url",
    "curl",
    "web",
    "webhook",
    "integration",
    "website",
    "web page",
    "scrape",
    "scraping",
    "browse",
    "crawl",
    "internet",
    "online",
    "google",
    "search",
    "graphql",
    "get",
    "post",
    "weather",
    "news",
    "send email",
  ],
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
  run,
});

const texts = z.record(z.string(), z.string());
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
    form: { ...textMap, description: "Instead of body: the fields of a web form, which are encoded for you." },
  },
  required: ["url"],
  additionalProperties: false,
};

const openInput = z.object({
  url: z.string(),
  method: z._default(z.enum(httpMethods), "GET"),
  query: z.optional(texts),
  headers: z._default(texts, {}),
  body: z.optional(z.json()),
  form: z.optional(texts),
});

function limits({ credential, followRedirects, maxRedirects, timeoutMs, allowedHosts }: Config) {
  const common = { credential, followRedirects, maxRedirects, timeoutMs };
  return allowedHosts.length > 0 ? { ...common, allowedHosts } : common;
}

/** The request of a call whose form the config fixes. */
function fixedRequest(filled: Config, { query, body }: JsonObject, files: RunFiles): HttpRequest {
  const { method, url, binary } = filled;
  const sent = { query: carriedQuery(filled, query), ...carried(filled, body, files) };
  return { ...limits(filled), method, url, binary, ...sent };
}

/** The request of a call that the model decided; the config's own headers win. */
function modelRequest(config: Config, input: JsonObject): HttpRequest {
  const { url, method, query, headers, body, form } = openInput.parse(input);
  const { binary } = config;
  const allHeaders = { ...headers, ...config.headers };
  const carries = isFilled(form)
    ? formBody(allHeaders, form)
    : { headers: allHeaders, ...(body === undefined ? {} : { body }) };
  return { ...limits(config), method, url, binary, ...(query ? { query } : {}), ...carries };
}

function isFilled(form: Record<string, string> | undefined): form is Record<string, string> {
  return form !== undefined && Object.keys(form).length > 0;
}

/** Why a call that the model decided cannot be made, or undefined. */
function contradiction(input: JsonObject): ToolResult | undefined {
  const { body, form } = openInput.parse(input);
  if (!isFilled(form) || body === undefined || body === null || body === "") return undefined;
  const message = "A request carries a body or a form, not both.";
  return { ok: false, error: { message, hint: "Leave one of them out.", code: "invalid_arguments" } };
}

async function send(
  sender: Sender,
  request: HttpRequest,
  settings: PagingSettings & Pick<RequestSettings, "errorPath">,
): Promise<ToolResult> {
  if (request.body !== undefined && (request.method === "GET" || request.method === "HEAD")) {
    const message = `A ${request.method} request cannot carry a body.`;
    return { ok: false, error: { message, hint: "Use query parameters or POST.", code: "invalid_arguments" } };
  }
  const result = await sendPages(sender, request, settings);
  if (!result.ok) {
    const { message, hint, code, retryable } = result.error;
    return { ok: false, error: { message, hint, code, retryable: retryable && isRepeatable(request.method) } };
  }
  const { status, headers } = result.answer;
  const details = { ...result.answer };
  if (status >= 200 && status < 300) return { ok: true, output: details };
  const retryAfterMs = retryAfterOf(headers);
  const again = isPassing(status) && isRepeatable(request.method);
  const words = { message: `The server answered with status ${status}.`, code: "tool_error" as const };
  const error = { ...words, details, retryable: again, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  return { ok: false, error };
}

/** Whether the model decides nothing of where the request goes. */
function hasFixedAddress({ url }: JsonObject): boolean {
  return typeof url === "string" && url.trim() !== "" && !/\bai\s*\(/.test(url);
}

/** Whether it only reads, as its owner says; or that he may say so, where it looks like it. */
function askingOf({
  config: { readOnly, method },
  node,
}: RunContext<Config, unknown>): Pick<Tool, "readOnly" | "remedy"> {
  if (!hasFixedAddress(node.config)) return { readOnly: false };
  if (readOnly || isWriting(method)) return { readOnly };
  const remedy = `If this request changes nothing, switch on “Only reads” in the settings of “${node.title}”. It then asks only about addresses.`;
  return { readOnly, remedy };
}

function run(context: RunContext<Config, unknown>): { tools: Tool[] } {
  const { config: settings, ai, files, host } = context;
  const fixed = settings.url.trim() !== "";
  return {
    tools: [
      {
        ...commonTool(settings),
        repeats: repeatsOf({ ...settings }),
        parameters: fixed ? ai.parameters : openParameters,
        ...(fixed ? { content: settings.content } : {}),
        ...askingOf(context),
        afterCrash: (input) =>
          isWriting(fixed ? settings.method : openInput.parse(input).method) ? settings.afterCrash : undefined,
        async execute(input, { signal, callId, log }) {
          const refused = fixed ? undefined : contradiction(input);
          if (refused) return refused;
          const asked = fixed
            ? fixedRequest(ai.bind(input), context.node.config, files)
            : modelRequest(settings, input);
          const request = host.checkpoint ? withIdempotencyKey(asked, `${context.run.id}/${callId}`) : asked;
          // The path of a list belongs to one address; the model may choose another each time.
          const paging = fixed ? settings : { ...settings, paging: "none" as const };
          const result = await send({ host, files, signal, log, callId }, request, paging);
          return { ...result, untrusted: [sourceOfUrl(request.url)] };
        },
      },
    ],
  };
}
