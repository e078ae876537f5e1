import { z } from "zod";
import { field } from "../../engine/config/field.ts";
import { jsonValue } from "../../engine/config/json-value.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import { loadOnce } from "../../engine/load-once.ts";
import { httpMethods } from "../http/http-methods.ts";
import { requestWords } from "../http/request-words.ts";
import { onErrorField } from "./error-field.ts";

/** Loaded with the first run, so that an editor which only draws the node does without it. */
const loadRun = loadOnce(() => import("../http/request-once.ts"));
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
      placeholder: "https://api.example.com/orders",
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
  run: async (context) => (await loadRun()).requestOnce(context),
});
