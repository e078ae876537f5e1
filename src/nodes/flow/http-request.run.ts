import type { RunContext } from "../../engine/document/define-node.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { RunError } from "../../engine/run/errors.ts";
import { sourceOfUrl } from "../../engine/trust/taint.ts";
import { carried } from "../http/carried.ts";
import { isPassing, retryAfterOf } from "../http/http-methods.ts";
import type { RequestSettings } from "../http/request-fields.ts";
import { requireAnswer } from "../http/send-request.ts";

/** The settings of the node, once parsed. Times in milliseconds. */
interface RequestConfig extends RequestSettings {
  anyStatus: boolean;
  result: "full" | "body";
  timeoutMs: number;
}

/** Status, headers and body, or the body alone. Throws a RunError when there is no answer, or one that the settings do not accept. */
export async function run(context: RunContext<RequestConfig, unknown>): Promise<Json> {
  const { config, host, signal, log, addUntrusted } = context;
  const { url, method, query, credential, followRedirects, maxRedirects, timeoutMs } = config;
  const request = { url, method, query, ...carried(config), credential };
  addUntrusted([sourceOfUrl(url)]);
  const answer = await requireAnswer(
    { host, signal, log: (...line) => log("info", ...line) },
    { ...request, followRedirects, maxRedirects, timeoutMs },
  );
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
