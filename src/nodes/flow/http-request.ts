import { z } from "zod";
import { field } from "../../engine/config/field.ts";
import { jsonValue } from "../../engine/config/json-value.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { RunError } from "../../engine/run/errors.ts";
import { requestWords } from "../http/request-words.ts";
import { httpMethods, requireAnswer } from "../http/send-request.ts";
import { sentLine } from "../http/sent-request.ts";
import { onErrorField } from "./error-field.ts";

const texts = z.record(z.string(), z.string());

export const httpRequest = defineNode({
  type: "http-request",
  version: 1,
  role: "flow",
  title: "HTTP request",
  summary: "Calls a web API and gives status, headers and body.",
  icon: "globe",
  config: z.object({
    url: field(z.string().max(8_192).default(""), {
      label: "URL",
      help: "The address. Inserted values are encoded.",
      template: "url",
      required: true,
      placeholder: "https://api.example.com/orders/{{json.id}}",
    }),
    method: field(z.enum(httpMethods).default("GET"), { label: "Method", help: "The HTTP method." }),
    query: field(texts.default({}), {
      label: "Query",
      help: "Parameters that are added to the URL.",
      template: "text",
    }),
    headers: field(texts.default({}), {
      label: "Headers",
      help: "Headers to send. Keys and passwords belong in a credential.",
      template: "header",
    }),
    body: field(jsonValue().default(""), {
      label: "Body",
      help: "What to send with POST, PUT and PATCH; usually JSON.",
      control: "textarea",
      template: "json",
    }),
    credential: field(z.string().max(200).default(""), {
      label: "Credential",
      help: "Signs the request; the secret is added on the way out. Empty: none.",
      control: "credential",
      credentialTypes: ["http-basic", "http-header", "http-bearer", "http-api-key"],
    }),
    anyStatus: field(z.boolean().default(false), {
      label: "Accept any status",
      help: "Off: a status outside 200–299 is an error.",
      section: "Errors",
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
    timeoutMs: field(z.number().int().min(1).max(30_000).default(30_000), {
      label: "Time limit (ms)",
      help: "An answer that takes longer is an error.",
      section: "Limits",
    }),
    onError: onErrorField,
  }),
  inputs: { main: one("main", { label: "Input" }) },
  outputs: { main: out("main", { label: "Output" }) },
  outreach: ({ method, url }) => requestWords(method, url),
  describe: ({ method, url }) => (typeof url === "string" && url !== "" ? `${String(method ?? "GET")} ${url}` : ""),
  exposure: () => ["untrusted-input"],
  async run({ config, host, signal, log }): Promise<Json> {
    const { url, method, query, headers, body, credential, followRedirects, maxRedirects, timeoutMs } = config;
    const request = { url, method, query, headers: withContentType(headers, body), credential };
    const limits = { followRedirects, maxRedirects, timeoutMs };
    const sent = body === "" || method === "GET" || method === "HEAD" ? {} : { body };
    log("info", ...sentLine({ ...request, ...sent }));
    const answer = await requireAnswer(host, { ...request, ...limits, ...sent }, signal);
    const output: JsonObject = { ...answer };
    if (config.anyStatus || (answer.status >= 200 && answer.status < 300)) return output;
    throw new RunError({
      code: "tool_error",
      message: `The server answered with status ${answer.status}.`,
      hint: 'Check address, method and credential, or turn on "Accept any status".',
      cause: { status: answer.status, body: beginningOf(answer.body) },
    });
  },
});

/** Enough of an error's body to see the reason. */
function beginningOf(body: Json): string {
  return (typeof body === "string" ? body : JSON.stringify(body)).slice(0, 2_000);
}

/** A body that looks like JSON says so, unless the headers say otherwise. */
function withContentType(headers: Record<string, string>, body: Json): Record<string, string> {
  const isJson = typeof body === "string" ? /^\s*[[{]/.test(body) : true;
  const named = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  return isJson && !named ? { ...headers, "content-type": "application/json" } : headers;
}
