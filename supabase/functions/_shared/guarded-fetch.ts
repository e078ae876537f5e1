import type { ByteShare } from "./byte-budget.ts";
import { failure, success, type Outcome } from "./failure.ts";
import {
  openExchange,
  stopFailure,
  type Exchange,
  type ExchangeOptions,
  type GuardedRequest,
} from "./guarded-exchange.ts";
import { networkFailure } from "./network-failure.ts";
import { startStopwatch, type Stopwatch } from "./stopwatch.ts";

import { SupabaseError } from "./supabase-client.ts";

export type { AttachSecret } from "./guarded-exchange.ts";

/** The limits of a call whose whole body is wanted. */
export type GuardOptions = ExchangeOptions & {
  signal?: AbortSignal | undefined;
  /** Most decoded bytes kept of the body. Default 5 MiB. */
  maxBytes?: number | undefined;
  /** Milliseconds for the whole call, redirects and body included. Default 30,000. */
  timeoutMs?: number | undefined;
  /** Counts what the answer takes in memory. */
  share?: ByteShare | undefined;
  /**
   * Takes the body of an answer while it arrives, and with it more time; undefined for an answer that is to be read as usual. The
   * body of one that was taken is empty. It rejects when the connection breaks.
   */
  take?: ((answer: TakenAnswer) => { within: number; done: Promise<Outcome<void>> } | undefined) | undefined;
};

/** An answer whose body arrives. */
export type TakenAnswer = Pick<Exchange, "status" | "headers" | "url" | "body">;

interface GuardedResponse {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  url: string;
  /** Decoded, at most `maxBytes`. */
  body: Uint8Array<ArrayBuffer>;
  /** Whether the body was longer than `maxBytes`, or did not end in time. */
  truncated: boolean;
}

type StreamOptions = ExchangeOptions & {
  signal?: AbortSignal | undefined;
  /** Most decoded bytes that pass. Default 256 MiB. */
  maxBytes?: number | undefined;
  /** Milliseconds until the answer's headers. Default 300,000, since a model may think before it answers. */
  headersTimeoutMs?: number | undefined;
  /** Milliseconds without a byte after which the stream breaks. Default 120,000. */
  idleTimeoutMs?: number | undefined;
};

interface GuardedStream {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Decoded pieces as they come. Errors when the connection breaks; cancelling it closes the connection. */
  body: ReadableStream<Uint8Array<ArrayBuffer>>;
}

const usualMaxBytes = 5 * 1024 * 1024;
const maxStreamBytes = 256 * 1024 * 1024;
const timeoutMs = 30_000;
const headersTimeoutMs = 300_000;
const idleTimeoutMs = 120_000;
/** An answer is in memory as bytes, and once more as the text that is made of it. */
const copies = 2;

/**
 * Calls a web address that a user, a model or a document chose, and reads the whole answer. Only http and https to public
 * addresses, unless the operator opened the host; every redirect is checked again. Never rejects: what went wrong comes
 * back as a failure whose code is `blocked_address`, `invalid_url`, `invalid_header`, `invalid_config`, `timeout`,
 * `cancelled`, `bad_certificate`, `rate_limit`, `too_large`, `too_many_redirects`, `redirect_refused` or `network`.
 */
export async function guardedFetch(request: GuardedRequest, options: GuardOptions): Promise<Outcome<GuardedResponse>> {
  const stopwatch = startStopwatch(options.timeoutMs ?? timeoutMs, options.signal);
  try {
    const opened = await openExchange(request, options, stopwatch.signal);
    if (!opened.ok) return opened;
    const taken = options.take?.(opened.value);
    if (taken !== undefined) return await takeExchange(opened.value, taken, stopwatch);
    return await readExchange(opened.value, options.maxBytes ?? usualMaxBytes, stopwatch.reason, options.share);
  } finally {
    stopwatch.stop();
  }
}

/**
 * The same for an answer that is passed on while it arrives. The body is never held in memory. Failures before the
 * headers are returned, also of a status that no answer may have; later ones error the stream.
 */
export async function guardedStream(request: GuardedRequest, options: StreamOptions): Promise<Outcome<GuardedStream>> {
  const stopwatch = startStopwatch(options.headersTimeoutMs ?? headersTimeoutMs, options.signal);
  const opened = await openExchange(request, options, stopwatch.signal);
  if (!opened.ok) {
    stopwatch.stop();
    return opened;
  }
  const { status, headers, body, close, url } = opened.value;
  const host = new URL(url).host;
  if (status < 200 || status > 599) {
    stopwatch.stop();
    close();
    return failure(
      "network",
      `${host} answered with the status ${status}, which HTTP does not have.`,
      "Check the server.",
    );
  }
  const idleMs = options.idleTimeoutMs ?? idleTimeoutMs;
  const maxBytes = options.maxBytes ?? maxStreamBytes;
  const iterator = body[Symbol.asyncIterator]();
  let passed = 0;
  const end = (): void => {
    stopwatch.stop();
    close();
  };
  stopwatch.restart(idleMs);
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const next = await iterator.next();
          stopwatch.restart(idleMs);
          if (next.done === true) {
            end();
            return controller.close();
          }
          passed += next.value.byteLength;
          if (passed > maxBytes) {
            end();
            return controller.error(new Error(`The answer of ${host} is longer than the limit of ${maxBytes} bytes.`));
          }
          controller.enqueue(new Uint8Array(next.value));
        } catch (error) {
          end();
          const reason = stopwatch.reason();
          const failed = reason === null ? networkFailure(error, host) : stopFailure(reason, host);
          controller.error(new Error(failed.error.message));
        }
      },
      cancel() {
        end();
      },
    },
    { highWaterMark: 0 },
  );
  return success({ status, headers, body: stream });
}

async function takeExchange(
  { status, headers, url, close }: Exchange,
  { within, done }: { within: number; done: Promise<Outcome<void>> },
  { restart, reason, signal }: Stopwatch,
): Promise<Outcome<GuardedResponse>> {
  restart(within);
  // Closed, the connection breaks off the body that is being read.
  signal.addEventListener("abort", close, { once: true });
  const { host } = new URL(url);
  try {
    const taken = await done;
    if (!taken.ok) return taken;
    return success({ status, headers, url, body: new Uint8Array(0), truncated: false });
  } catch (error) {
    if (error instanceof SupabaseError) throw error;
    const stopped = reason();
    return stopped === null ? networkFailure(error, host) : stopFailure(stopped, host);
  } finally {
    close();
  }
}

async function readExchange(
  exchange: Exchange,
  maxBytes: number,
  reason: () => "cancelled" | "timeout" | null,
  share: ByteShare | undefined,
): Promise<Outcome<GuardedResponse>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let truncated = false;
  try {
    for await (const chunk of exchange.body) {
      const room = maxBytes - size;
      if (share !== undefined && share.take(Math.min(chunk.byteLength, room) * copies) !== null) return tooMuchAtOnce();
      chunks.push(chunk.byteLength > room ? chunk.subarray(0, room) : chunk);
      size += Math.min(chunk.byteLength, room);
      if (chunk.byteLength > room) {
        truncated = true;
        break;
      }
    }
  } catch (error) {
    const host = new URL(exchange.url).host;
    if (reason() === "cancelled") return stopFailure("cancelled", host);
    if (reason() === null && isDecodingError(error)) {
      return failure("network", `${host} sent a body that cannot be decompressed.`, "Check the server.");
    }
    if (reason() === null) return networkFailure(error, host);
    truncated = true;
  } finally {
    exchange.close();
  }
  const { status, headers, url } = exchange;
  return success({ status, headers, url, body: joinBytes(chunks, size), truncated });
}

function tooMuchAtOnce(): Outcome<never> {
  const hint = "Wait for other calls to end, run fewer at once, or ask for less.";
  return failure("rate_limit", "Too many large answers are being read at once.", hint);
}

function isDecodingError(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^(Z_|ERR_BROTLI|ERR__ERROR_FORMAT)/.test(String(error.code));
}

function joinBytes(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return joined;
}
