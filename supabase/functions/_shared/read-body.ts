import type { ByteShare } from "./byte-budget.ts";
import { maxJsonDepth, maxJsonValues } from "./json-scan.ts";
import { type BodyTerms, bodyRefusal, BodyRefused, receiveWhole } from "./receive-body.ts";
import { respondFailure } from "./respond.ts";

/** A request's body, or the answer that says why there is none. */
type Received<Value> = { ok: true; value: Value } | { ok: false; refusal: Response };

/** Reads a request's body, at most `maxBytes`, without trusting its content-length, and in its own time. */
export async function readBody(
  request: Request,
  maxBytes: number,
  share: ByteShare,
): Promise<Received<Uint8Array<ArrayBuffer>>> {
  return receive(request, { maxBytes, share, dropsRest: true });
}

/** Reads a request's body as JSON of at most 500 levels and 100,000 values, which are counted before it is parsed. */
export async function readJson(request: Request, maxBytes: number, share: ByteShare): Promise<Received<unknown>> {
  const json = { depth: maxJsonDepth, values: maxJsonValues };
  const body = await receive(request, { maxBytes, share, json, dropsRest: true });
  if (!body.ok) return body;
  try {
    return { ok: true, value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body.value)) };
  } catch {
    const message = "The request's body is not JSON.";
    const error = { code: "invalid_config" as const, message, hint: "Send one JSON object.", retryable: false };
    return { ok: false, refusal: respondFailure(error) };
  }
}

async function receive(request: Request, terms: BodyTerms): Promise<Received<Uint8Array<ArrayBuffer>>> {
  try {
    return { ok: true, value: await receiveWhole(request, terms) };
  } catch (error) {
    if (!(error instanceof BodyRefused)) throw error;
    const { status, retryAfter, ...words } = bodyRefusal(error.problem, terms);
    return {
      ok: false,
      refusal: respondFailure(words, { status, ...(retryAfter === undefined ? {} : { retryAfter }) }),
    };
  }
}
