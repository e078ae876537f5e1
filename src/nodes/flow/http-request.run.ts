import type { RunContext } from "../../engine/document/define-node.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { RunError } from "../../engine/errors.ts";
import { sourceOfUrl } from "../../engine/trust/taint.ts";
import { carried, carriedQuery } from "../http/carried.ts";
import { isPassing, retryAfterOf } from "../http/http-methods.ts";
import type { PagingSettings, RequestSettings } from "../http/request-fields.ts";
import { sendPages } from "../http/send-pages.ts";

/** The settings of the node, once parsed. Times in milliseconds. */
interface RequestConfig extends RequestSettings, PagingSettings {
  anyStatus: boolean;
  result: "full" | "body";
  timeoutMs: number;
}

/** Status, headers and body, or the body alone. Throws a RunError when there is no answer, or one that the settings do not accept. */
export async function run(context: RunContext<RequestConfig, unknown>): Promise<Json> {
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
}

/** Enough of an error's body to see the reason. */
function beginningOf(body: Json): string {
  return (typeof body === "string" ? body : JSON.stringify(body)).slice(0, 2_000);
}
