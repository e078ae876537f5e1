import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { RunError } from "../../engine/errors.ts";
import { sourceOfUrl } from "../../engine/trust/taint.ts";
import {
  isPassing,
  isRepeatable,
  longestRequestMs,
  repeatableMethods,
  retryAfterOf,
  writingMethods,
} from "../http/http-methods.ts";
import { withIdempotencyKey } from "../http/idempotency-key.ts";
import { pagingFields, redirectFields, requestFields, requestFindings } from "../http/request-fields.ts";
import { carried, carriedQuery } from "../http/carried.ts";
import { sendPages } from "../http/send-pages.ts";
import { onErrorField, repeatIfKeyed, repeatsOf, retryFields, stepAfterCrash } from "./error-field.ts";

export const httpRequest = defineNode({
  type: "http-request",
  version: 1,
  role: "flow",
  title: "HTTP request",
  summary: "Calls a web API and passes its answer on.",
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
    "crawl",
    "internet",
    "download",
    "graphql",
    "get",
    "post",
    "call",
    "send email",
    "notify",
    "notification",
    "alert",
    "sms",
    "zapier",
    "weather",
    "news",
    "rss",
  ],
  section: "data",
  icon: "globe",
  config: z.object({
    url: field(z._default(z.string().check(z.maxLength(8_192)), ""), {
      label: "URL",
      help: "The address to call. Values that you insert are encoded for it.",
      template: "url",
      required: true,
      placeholder: "https://api.example.com/orders",
    }),
    ...requestFields({
      methodHelp: "What to do at the address: GET reads, POST sends.",
      bodyHelp: "What to send with POST, PUT and PATCH; usually JSON.",
      credentialHelp: "The key to send with the request. It shows in no run and no log. Empty: none.",
    }),
    result: field(z._default(z.enum(["full", "body"]), "full"), {
      label: "Output",
      help: "Everything: status, headers and body. Body: only what the server sent.",
      optionTitles: { full: "Everything", body: "Body" },
    }),
    anyStatus: field(z._default(z.boolean(), false), {
      label: "Accept any status",
      help: "Off: any status outside 200–299 counts as a failure.",
      section: "Errors",
    }),
    ...pagingFields(),
    ...redirectFields(),
    timeoutMs: field(z._default(z.int().check(z.minimum(1), z.maximum(longestRequestMs)), 30_000), {
      label: "Time limit (ms)",
      help: "A request that takes longer fails.",
      section: "Limits",
    }),
    ...retryFields("How often to try again when the server is busy or fails, or the connection breaks.", {
      field: "method",
      in: repeatableMethods,
    }),
    afterCrash: stepAfterCrash(repeatIfKeyed, { field: "method", in: writingMethods }),
    onError: onErrorField,
  }),
  inputs: { main: one("main", { label: "Input" }) },
  outputs: { main: out("main", { label: "Output" }) },
  reach: [{ to: "host", url: "url", method: "method", credential: "credential" }],
  repeats: (raw) => (isRepeatable(raw["method"]) ? repeatsOf(raw) : undefined),
  check: requestFindings,
  describe: ({ method, url }) => (typeof url === "string" && url !== "" ? `${String(method ?? "GET")} ${url}` : ""),
  /** Status, headers and body, or the body alone. Throws a RunError when there is no answer, or one that the settings do not accept. */
  async run(context) {
    const { config, files, host, signal, log, addUntrusted, run, node } = context;
    const { url, method, credential, followRedirects, maxRedirects, timeoutMs } = config;
    const asked = {
      url,
      method,
      query: carriedQuery(config, node.config["query"]),
      ...carried(config, node.config["body"], files),
      binary: config.binary,
      credential,
      followRedirects,
      maxRedirects,
      timeoutMs,
    };
    const place = [run.id, encodeURIComponent(node.id), ...run.items].join("/");
    const request = host.checkpoint ? withIdempotencyKey(asked, place) : asked;
    addUntrusted([sourceOfUrl(url)]);
    const result = await sendPages({ host, files, signal, log: (...line) => log("info", ...line) }, request, config);
    if (!result.ok) throw new RunError(result.error);
    const { answer } = result;
    if (config.binary === "text" && typeof answer.body === "string" && answer.body.startsWith("[binary, "))
      log("warn", `The response is not text, so only a note about it was kept. To keep it, set "${keptAs}" to File.`);
    const output: JsonObject = { ...answer };
    const isAccepted = config.anyStatus || (answer.status >= 200 && answer.status < 300);
    if (isAccepted) return config.result === "body" ? answer.body : output;
    const retryAfterMs = retryAfterOf(answer.headers);
    throw new RunError({
      code: "tool_error",
      message: `The server answered with status ${answer.status}.`,
      retryable: isPassing(answer.status),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      hint: 'Check address, method and credential, or turn on "Accept any status".',
      cause: { status: answer.status, body: beginningOf(answer.body) },
    });
  },
});

const keptAs = "Non-text responses";

/** Enough of an error's body to see the reason. */
function beginningOf(body: Json): string {
  return (typeof body === "string" ? body : JSON.stringify(body)).slice(0, 2_000);
}
