import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";

/** Bodies that `sendAnswer` takes as they are, by the response that they belong to. */
const bodies = new WeakMap<Response, Readable | Buffer>();

/** A response whose body is a stream of Node's, for `sendAnswer` alone: to all others it has none. */
export function streamedAnswer(body: Readable, init: ResponseInit): Response {
  const response = new Response(null, init);
  bodies.set(response, body);
  return response;
}

/** A response that `sendAnswer` need not read again, since its whole body is at hand. */
export function bufferedAnswer(body: Buffer<ArrayBuffer>, init: ResponseInit): Response {
  const response = new Response(body, init);
  bodies.set(response, body);
  return response;
}

/**
 * Sends a response whose body is a stream of Node's or has a known length. The HTTP adapter, which sends every other one, makes
 * each wait for a timer to see whether its body has ended. Returns what is left for the adapter to send.
 */
export async function sendAnswer(response: Response, outgoing: ServerResponse): Promise<Response> {
  const body = bodies.get(response);
  if (Buffer.isBuffer(body)) {
    outgoing.writeHead(response.status, headersOf(response));
    outgoing.end(body);
    return RESPONSE_ALREADY_SENT;
  }
  if (body) {
    outgoing.writeHead(response.status, headersOf(response));
    outgoing.flushHeaders();
    await pipeline(body, outgoing).catch((error: unknown) => {
      if (!isOfReader(error)) console.error(error);
    });
    return RESPONSE_ALREADY_SENT;
  }
  if (response.body === null || !response.headers.has("content-length")) return response;
  const pieces: Uint8Array[] = [];
  for await (const piece of response.body) pieces.push(piece);
  outgoing.writeHead(response.status, headersOf(response));
  outgoing.end(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces));
  return RESPONSE_ALREADY_SENT;
}

/**
 * Sends the answer to a request whose body is still coming. The answer is out at once and the connection ends when `rest` has:
 * the system resets a connection that is closed with unread bytes, and its client would never read why it was refused.
 */
export async function sendEarlyAnswer(
  response: Response,
  outgoing: ServerResponse,
  rest: () => Promise<void>,
): Promise<Response> {
  const given = bodies.get(response) ?? response.body ?? [];
  const pieces: Uint8Array[] = Buffer.isBuffer(given) ? [given] : [];
  if (!Buffer.isBuffer(given)) for await (const piece of given) pieces.push(piece);
  const whole = Buffer.concat(pieces);
  outgoing.writeHead(response.status, { ...headersOf(response), "content-length": whole.length });
  outgoing.write(whole);
  await rest();
  outgoing.end();
  return RESPONSE_ALREADY_SENT;
}

function headersOf({ headers }: Response): OutgoingHttpHeaders {
  const all: OutgoingHttpHeaders = { "content-type": "text/plain; charset=UTF-8", ...Object.fromEntries(headers) };
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) all["set-cookie"] = cookies;
  return all;
}

/** Whether an answer broke off because its reader went away, which is nobody's fault. */
function isOfReader(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "AbortError" || ("code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE");
}
