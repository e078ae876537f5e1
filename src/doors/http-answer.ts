import { z } from "zod/mini";
import { jsonValue } from "../engine/config/json-value.ts";
import type { Json } from "../engine/json.ts";

/** The answer to an HTTP request as a `respond` node gives it; a door checks it again before it sends it. */
export const httpAnswerSchema = z.strictObject({
  status: z.int().check(z.minimum(200), z.maximum(599)),
  headers: z.record(z.string(), z.string()),
  body: jsonValue(),
});

/** An HTTP answer as data: a text body is sent as it is, any other value as JSON; null sends no body. */
export type HttpAnswer = z.infer<typeof httpAnswerSchema>;

/** Statuses whose answers never have a body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Headers that say something about the answer itself, and names of the workflow's own. All others are the server's, the
 * browser's or a proxy's business: an answer comes from the origin of the studio, so a workflow may set no cookie there, may not
 * weaken what keeps a page in an answer away from the studio, and may not have a server in front send a file of its own.
 */
const settable =
  /^(?:content-type|content-disposition|location|cache-control|etag|last-modified|retry-after|x-(?!accel-|sendfile|lighttpd-|litespeed-|reproxy-|forwarded-|dns-prefetch-control$|frame-options$|content-type-options$|switchyard-).+)$/i;

const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]{0,8000}$/;

/** Whether an answer may carry a header with this name; one that it may not is left out. */
export function isAnswerHeader(name: string): boolean {
  return settable.test(name);
}

/** Why a name or a value is none of HTTP, as a sentence; undefined where it is one. */
export function answerHeaderProblem(name: string, value: string): string | undefined {
  if (!headerName.test(name)) return `${JSON.stringify(name.slice(0, 60))} is not a valid header name.`;
  if (!headerValue.test(value))
    return `The value of the header ${name} has characters that HTTP does not allow, or is too long.`;
  return undefined;
}

/** The parts of a response: bytes or text as they are sent, with the type of the content unless the answer names one. */
export function responseParts({ status, headers, body }: HttpAnswer): {
  status: number;
  headers: Record<string, string>;
  body: string | null;
} {
  const kept = Object.entries(headers).filter(
    ([name, value]) => isAnswerHeader(name) && answerHeaderProblem(name, value) === undefined,
  );
  const named = Object.fromEntries(kept.map(([name, value]) => [name.toLowerCase(), value]));
  if (body === null || bodiless.has(status)) return { status, headers: named, body: null };
  const type = typeof body === "string" ? "text/plain; charset=utf-8" : "application/json; charset=utf-8";
  return { status, headers: { "content-type": type, ...named }, body: bodyText(body) };
}

function bodyText(body: Json): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}
