import { z } from "zod/mini";
import { fileSchema } from "../../engine/file/file.ts";
import type { RunFiles } from "../../engine/file/run-files.ts";
import type { Host } from "../../engine/host.ts";
import { type Json, type JsonObject, jsonOrText } from "../../engine/json.ts";
import type { RunErrorData } from "../../engine/errors.ts";
import { type HttpRequest, sentLine } from "./sent-request.ts";

/** What a server answered; `body` is parsed where it is JSON, a file where that was wanted, else text. */
export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  body: Json;
  truncated: boolean;
}

/** An answer of any status, or why there was none (blocked address, time, credential). */
export type HttpResult = { ok: true; answer: HttpAnswer } | { ok: false; error: RunErrorData };

const reply = z.object({
  statusCode: z.number(),
  headers: z.catch(z.record(z.string(), z.string()), {}),
  body: z.catch(z.json(), null),
  file: z.optional(fileSchema),
  truncated: z.catch(z.boolean(), false),
  error: z.optional(z.object({ message: z.string(), hint: z._default(z.string(), ""), code: z.optional(z.string()) })),
});

function parsedBody(body: Json, headers: Record<string, string>, truncated: boolean): Json {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  if (truncated || typeof body !== "string" || !/^application\/(.*\+)?json\b/i.test(type)) return body;
  return jsonOrText(body);
}

function failure(error: { message: string; hint: string; code?: string }): RunErrorData {
  const { message, hint, code } = error;
  const known = code === "blocked_address" || code === "timeout" || code === "invalid_credentials";
  const passes = code === "timeout" || code === "network";
  return { code: known ? code : "tool_error", message, hint, retryable: passes };
}

/** For whom a request is sent. */
export interface Sender {
  host: Pick<Host, "callFunction">;
  /** Of the run, which gets the answer's. */
  files: Pick<RunFiles, "add">;
  signal: AbortSignal;
  /** The run's log, which is told of every request. */
  log(message: string, data: JsonObject): void;
  /** The tool call that it belongs to. */
  callId?: string;
}

/** Writes one request to the run's log and sends it. Rejects only when the signal aborts. */
export async function sendRequest(
  { host, files, signal, log, callId }: Sender,
  request: HttpRequest,
): Promise<HttpResult> {
  const { method, url, headers, query, body, credential, followRedirects, maxRedirects, timeoutMs } = request;
  const message: JsonObject = { method, url };
  if (headers) message["headers"] = headers;
  if (query) message["query"] = query;
  if (body !== undefined) message["body"] = body;
  if (request.file) message["file"] = request.file.$file;
  if (request.parts)
    message["parts"] = request.parts.map((part) => ("file" in part ? { ...part, file: part.file.$file } : part));
  if (request.binary === "file") message["binary"] = "file";
  if (credential) message["credential"] = credential;
  if (followRedirects !== undefined) message["followRedirects"] = followRedirects;
  if (maxRedirects !== undefined) message["maxRedirects"] = maxRedirects;
  if (timeoutMs !== undefined) message["timeoutMs"] = timeoutMs;
  if (request.allowedHosts) message["allowedHosts"] = request.allowedHosts;

  log(...sentLine(request, callId));
  const result = await host.callFunction("execute-http", message, { signal });
  if (!result.ok) return { ok: false, error: result.error };
  const parsed = reply.safeParse(result.body);
  if (!parsed.success) {
    const words = "The HTTP function's answer could not be read.";
    return { ok: false, error: failure({ message: words, hint: "Check that the functions are up to date." }) };
  }
  const { statusCode, truncated, error } = parsed.data;
  if (error && statusCode === 0) return { ok: false, error: failure(error) };
  const answered = parsed.data.headers;
  return {
    ok: true,
    answer: {
      status: statusCode,
      headers: answered,
      body: parsed.data.file ? files.add(parsed.data.file) : parsedBody(parsed.data.body, answered, truncated),
      truncated,
    },
  };
}
