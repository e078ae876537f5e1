import type { FunctionResult, Host } from "../../../engine/host.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../engine/json.ts";
import { runErrorCodes, type RunErrorCode, type RunErrorData } from "../../../engine/errors.ts";
import type { FunctionAccess } from "./model-fetch.ts";

/**
 * `Host.callFunction` for the browser: POSTs JSON to `/functions/v1/<name>` as the signed-in user. A refusal of the
 * function, an answer that is no JSON and a broken connection are results; it rejects only with the signal's reason.
 */
export function createFunctionClient(access: FunctionAccess): Host["callFunction"] {
  const send = access.fetch ?? fetch.bind(globalThis);
  return async (name, body, { signal }) => {
    try {
      const response = await post(send, access, name, body, signal);
      const answer = await readJson(response);
      if (response.ok && answer !== undefined) return { ok: true, body: answer };
      return { ok: false, status: response.status, error: refusal(name, response, answer) };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      return unreachable(name, error);
    }
  };
}

async function post(
  send: typeof fetch,
  access: FunctionAccess,
  name: string,
  body: JsonObject,
  signal: AbortSignal,
): Promise<Response> {
  const token = await access.accessToken();
  return send(`${access.functionsUrl}/${encodeURIComponent(name)}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      apikey: access.publishableKey,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
    signal,
    credentials: "omit",
  });
}

async function readJson(response: Response): Promise<Json | undefined> {
  const text = await response.text();
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The function's own words where it has some, general ones where a gateway answered in its place. */
function refusal(name: string, response: Response, answer: Json | undefined): RunErrorData {
  const retryAfter = Number(response.headers.get("retry-after"));
  const wait = Number.isFinite(retryAfter) && retryAfter > 0 ? { retryAfterMs: retryAfter * 1000 } : {};
  const error = isJsonObject(answer) && isJsonObject(answer.error) ? answer.error : {};
  const retryable = response.status === 429 || (response.status >= 500 && response.status !== 507);
  return {
    code: asCode(error.code) ?? codeOfStatus(response.status),
    message:
      typeof error.message === "string"
        ? error.message
        : `The function "${name}" answered with status ${response.status}.`,
    hint: typeof error.hint === "string" ? error.hint : hintOfStatus(response.status),
    retryable: typeof error.retryable === "boolean" ? error.retryable : retryable,
    ...wait,
  };
}

function unreachable(name: string, error: unknown): FunctionResult {
  return {
    ok: false,
    status: 0,
    error: {
      code: "internal",
      message: `The function "${name}" could not be reached.`,
      hint: "Check that Switchyard's server is running and that you are online, then try again.",
      retryable: true,
      cause: error instanceof Error ? error.message : String(error),
    },
  };
}

function asCode(value: Json | undefined): RunErrorCode | undefined {
  return runErrorCodes.find((code) => code === value);
}

function codeOfStatus(status: number): RunErrorCode {
  if (status === 401 || status === 403) return "invalid_credentials";
  if (status === 429) return "rate_limit";
  return status === 408 || status === 504 ? "timeout" : "internal";
}

function hintOfStatus(status: number): string {
  if (status === 401) return "Your session has ended. Sign in again.";
  if (status === 404) return "This server does not have the function. Deploy the functions, or update the server.";
  if (status === 429) return "Wait a moment, then try again.";
  return "Try again; if it happens again, look at the server's log.";
}
