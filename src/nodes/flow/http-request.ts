import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { RunError } from "../../engine/errors.ts";
import { sourceOfUrl } from "../../engine/trust/taint.ts";
import { isPassing, isRepeatable, longestRequestMs, repeatableMethods, retryAfterOf } from "../http/http-methods.ts";
import { pagingFields, redirectFields, requestFields, requestFindings } from "../http/request-fields.ts";
import { carried, carriedQuery } from "../http/carried.ts";
import { sendPages } from "../http/send-pages.ts";
import { onErrorField, repeatsOf, retryFields } from "./error-field.ts";

export const httpRequest = defineNode({
  type: "http-request",
  version: 1,
  role: "flow",
  title: "HTTP request",
  summary: "Calls a web API and passes its answer on.",
  keywords: ["api", "rest", "fetch", "url", "curl", "web", "webhook", "integration"],
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
    const { config, host, signal, log, addUntrusted } = context;
    const { url, method, credential, followRedirects, maxRedirects, timeoutMs } = config;
    const request = {
      url,
      method,
      query: carriedQuery(config),
      ...carried(config, context.node.config["body"]),
      credential,
    };
    addUntrusted([sourceOfUrl(url)]);
    const result = await sendPages(
      { host, signal, log: (...line) => log("info", ...line) },
      { ...request, followRedirects, maxRedirects, timeoutMs },
      config,
    );
    if (!result.ok) throw new RunError(result.error);
    const { answer } = result;
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

/** Enough of an error's body to see the reason. */
function beginningOf(body: Json): string {
  return (typeof body === "string" ? body : JSON.stringify(body)).slice(0, 2_000);
}
