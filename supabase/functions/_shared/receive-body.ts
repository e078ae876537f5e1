import type { BudgetRefusal, ByteShare } from "./byte-budget.ts";
import { type JsonLimits, JsonScan } from "./json-scan.ts";

/** How slowly a body may come: time waited for it may be `graceMs`, and a second more for each `bytesPerSecond` received. */
export interface Patience {
  graceMs: number;
  bytesPerSecond: number;
}

/** 15 seconds, and then no slower than the worst mobile connection. */
export const bodyPatience: Patience = { graceMs: 15_000, bytesPerSecond: 16 * 1024 };

/** Under which conditions a body is received. */
export interface BodyTerms {
  maxBytes: number;
  /** Nobody known sends it; a larger body is taken from signed-in users. */
  fromStranger?: boolean | undefined;
  patience?: Patience | undefined;
  /** Counts what the body takes. */
  share?: ByteShare | undefined;
  /** What of the body is held at most, where the rest passes; all of it when absent. */
  bufferedBytes?: number | undefined;
  /** For a body that will be parsed as JSON. */
  json?: JsonLimits | undefined;
  /**
   * Reads the rest of a body that is refused, and drops it, before that is said: where an answer ends the connection, which the
   * system resets if bytes are unread, and the sender never reads why.
   */
  dropsRest?: boolean | undefined;
}

/** Why a body was not received. `broken`: its sender went away. */
export type BodyProblem = "broken" | "depth" | "full" | "large" | "owner-full" | "slow" | "stranger" | "values";

/** A body that was not received to its end. */
export class BodyRefused extends Error {
  override readonly name = "BodyRefused";
  readonly problem: BodyProblem;

  constructor(problem: BodyProblem) {
    super(`A request's body was not received: ${problem}.`);
    this.problem = problem;
  }
}

/** An answer for a body that was not received, to be put into each door's own form. Times are in seconds. */
export interface BodyRefusal {
  status: number;
  code: "invalid_config" | "invalid_credentials" | "rate_limit" | "timeout";
  message: string;
  hint: string;
  retryable: boolean;
  retryAfter?: number;
}

/**
 * The pieces of a body as they come. Rejects with BodyRefused as soon as a condition is broken; then no more is read, whatever
 * its sender announced.
 */
export async function* receiveBody(request: Request, terms: BodyTerms): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  // A body that says that it is too long need not come.
  const tooLarge = terms.fromStranger === true ? "stranger" : "large";
  if (Number(request.headers.get("content-length") ?? 0) > terms.maxBytes) {
    if (terms.dropsRest === true) await dropBody(request);
    throw new BodyRefused(tooLarge);
  }
  if (request.body === null) return;
  const { graceMs, bytesPerSecond } = terms.patience ?? bodyPatience;
  const held = terms.bufferedBytes === undefined ? null : (terms.share?.take(terms.bufferedBytes) ?? null);
  if (held !== null) {
    if (terms.dropsRest === true) await dropBody(request);
    throw new BodyRefused(problemOf(held));
  }
  const scan = terms.json === undefined ? null : new JsonScan(terms.json);
  const reader = request.body.getReader();
  let size = 0;
  let waited = 0;
  try {
    for (;;) {
      const began = performance.now();
      const next = await within(reader.read(), graceMs + (size / bytesPerSecond) * 1_000 - waited);
      waited += performance.now() - began;
      if (next.done) return;
      size += next.value.byteLength;
      if (size > terms.maxBytes) throw new BodyRefused(tooLarge);
      const full = terms.bufferedBytes === undefined ? (terms.share?.take(next.value.byteLength) ?? null) : null;
      if (full !== null) throw new BodyRefused(problemOf(full));
      const exceeded = scan?.read(next.value) ?? null;
      if (exceeded !== null) throw new BodyRefused(exceeded);
      yield next.value;
    }
  } catch (error) {
    const isOpen = error instanceof BodyRefused && error.problem !== "broken" && error.problem !== "slow";
    if (isOpen && terms.dropsRest === true) await drop(reader);
    throw error;
  } finally {
    // Not awaited: after a cut the sender may never answer.
    void reader.cancel().catch(() => undefined);
  }
}

/** How much of a refused body is read at most, and for how long: in all, and without a byte. */
const dropLimits = { bytes: 64 * 1024 * 1024, totalMs: 20_000, silentMs: 5_000 };

/** Reads a body that nobody has begun to read, and drops it, within limits. */
export async function dropBody(request: Request): Promise<void> {
  if (request.body === null || request.bodyUsed) return;
  const reader = request.body.getReader();
  await drop(reader);
  void reader.cancel().catch(() => undefined);
}

async function drop(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const until = performance.now() + dropLimits.totalMs;
  let size = 0;
  try {
    while (size < dropLimits.bytes) {
      const next = await within(reader.read(), Math.min(dropLimits.silentMs, until - performance.now()));
      if (next.done) return;
      size += next.value.byteLength;
    }
  } catch {
    // Its sender is gone, or too slow to be waited for.
  }
}

/** Reads a body in one piece. Rejects with BodyRefused. */
export async function receiveWhole(request: Request, terms: BodyTerms): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of receiveBody(request, terms)) {
    pieces.push(piece);
    size += piece.byteLength;
  }
  const body = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    body.set(piece, offset);
    offset += piece.byteLength;
  }
  return body;
}

function problemOf(full: BudgetRefusal): BodyProblem {
  return full === "owner" ? "owner-full" : "full";
}

async function within<Value>(work: Promise<Value>, milliseconds: number): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new BodyRefused("slow")), Math.max(0, milliseconds));
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    throw error instanceof BodyRefused ? error : new BodyRefused("broken");
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}

const soon = 2;

/** Says in words why a body was not received. */
export function bodyRefusal(problem: BodyProblem, terms: BodyTerms): BodyRefusal {
  switch (problem) {
    case "large": {
      const hint = "Send less at once.";
      return fault(413, `The request is larger than ${sizeInWords(terms.maxBytes)}.`, hint);
    }
    case "stranger": {
      const message = "Only signed-in users may send requests of this size.";
      return { status: 401, code: "invalid_credentials", message, hint: "Sign in and try again.", retryable: false };
    }
    case "values": {
      const message = `The request holds more than ${(terms.json?.values ?? 0).toLocaleString("en")} values.`;
      return fault(413, message, "Send it in parts.");
    }
    case "depth":
      return fault(400, "The request is nested too deeply.", `Send at most ${terms.json?.depth ?? 0} levels.`);
    case "broken":
      return fault(400, "The request was cut off before it arrived.", "Send it again.");
    case "slow": {
      const message = "The request came too slowly, so the server stopped waiting for it.";
      return {
        status: 408,
        code: "timeout",
        message,
        hint: "Check your connection and send it again.",
        retryable: true,
      };
    }
    case "owner-full": {
      const message = "Your open requests have reached the size limit for one user.";
      const hint = "Wait until some have ended, or send less at once.";
      return { status: 429, code: "rate_limit", message, hint, retryable: true, retryAfter: soon };
    }
    case "full": {
      const message = "The server is busy with other large requests.";
      const hint = "Try again in a few seconds.";
      return { status: 503, code: "rate_limit", message, hint, retryable: true, retryAfter: soon };
    }
    default:
      return problem satisfies never;
  }
}

function fault(status: number, message: string, hint: string): BodyRefusal {
  return { status, code: "invalid_config", message, hint, retryable: false };
}

function sizeInWords(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.floor(bytes / 1024 / 1024)} MiB` : `${Math.floor(bytes / 1024)} KiB`;
}
