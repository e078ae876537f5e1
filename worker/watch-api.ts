import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod/mini";

/** Whether the API of a studio or a project can be reached, from a worker beside it. */
export interface WatchedApi {
  /** Nobody has answered there since the last look. */
  isAway(): boolean;
  /** It answered to the last look that it does not take the worker's keys, or its own name. */
  isRefused(): boolean;
  /**
   * The same `fetch`, which waits for the API: a request that found nobody there was not made, so it is made once somebody answers.
   * Rejects as `send` does after `patienceMs`, and for whatever may have reached somebody.
   */
  patient(send: typeof fetch): typeof fetch;
  /** Looks whether it can be reached. Rejects with what to do where it refuses the worker's keys. */
  look(): Promise<void>;
  close(): void;
}

interface WatchOptions {
  /** Origin, without a slash at the end. */
  url: string;
  publishableKey: string;
  /** A token that is signed as those of runs' owners. */
  makeToken(): Promise<string>;
  log(line: string): void;
  /** What becomes of runs meanwhile, as a sentence. */
  meanwhile: string;
  /** How often it is looked at while it answers; without it, only once a request has not reached it. */
  everyMs?: number | undefined;
  lookMs?: number;
  patienceMs?: number;
}

const usualLookMs = 2_000;
/** Less than a token counts at least, so that what has waited still has one. */
const usualPatienceMs = 100_000;
const answerMs = 10_000;

/** Codes of Node and undici for a connection that never came about. */
const unreached = z.enum([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);
const refusalSchema = z.object({ code: z.string() });
const failedFetch = z.object({ cause: z.object({ code: unreached }) });

/** Watches an API, at least from the first request that does not reach it until it answers again. */
export function watchApi(options: WatchOptions): WatchedApi {
  const { url, publishableKey, makeToken, log, meanwhile, everyMs } = options;
  const { lookMs = usualLookMs, patienceMs = usualPatienceMs } = options;
  let isAway = false;
  /** Why the worker was refused at the last look. */
  let refusal: string | undefined;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  function lookIn(ms: number | undefined): void {
    clearTimeout(timer);
    if (ms === undefined || isClosed) return;
    timer = setTimeout(() => void lookAgain(), ms);
  }

  /** Says once why it is refused, however often it looks. */
  async function lookAgain(): Promise<void> {
    const before = refusal;
    await look().catch((error: unknown) => {
      const reason = reasonOf(error);
      if (reason !== before) log(reason);
    });
    if (before !== undefined && refusal === undefined && !isAway) log(`The API at ${url} lets this worker in again.`);
  }

  function missed(why: string): void {
    if (isAway) return;
    isAway = true;
    log(`The API at ${url} cannot be reached (${why}). ${meanwhile}`);
    lookIn(lookMs);
  }

  async function look(): Promise<void> {
    let response: Response;
    try {
      const headers = { apikey: publishableKey, authorization: `Bearer ${await makeToken()}` };
      const signal = AbortSignal.timeout(answerMs);
      response = await fetch(`${url}/rest/v1/studio_credentials?select=id&limit=1`, { headers, signal });
    } catch (error) {
      missed(codeOf(error) ?? reasonOf(error));
      return lookIn(lookMs);
    }
    const answer = refusalSchema.safeParse(await response.json().catch(() => null));
    // What a gateway says in the place of an API that is gone.
    if (response.status >= 500) {
      missed(`HTTP ${response.status}`);
      return lookIn(lookMs);
    }
    lookIn(everyMs);
    if (isAway) log(`The API at ${url} answers again.`);
    isAway = false;
    refusal = refusalOf(response.status, answer.data?.code);
    if (refusal !== undefined) throw new Error(refusal);
  }

  function refusalOf(status: number, code: string | undefined): string | undefined {
    if (status === 401)
      return `The API at ${url} refuses the keys of this worker. They have to be those of the same studio or project: STUDIO_KEYS_FILE, or SUPABASE_PUBLISHABLE_KEY and SUPABASE_JWT_KEY or SUPABASE_JWT_SECRET.`;
    if (status === 403 && code === "forbidden_origin")
      return `${url} is a name that the studio there does not know. Start it with --name ${new URL(url).hostname}.`;
    return undefined;
  }

  return {
    isAway: () => isAway,
    isRefused: () => refusal !== undefined,
    patient: (send) => async (input, init) => {
      const until = Date.now() + patienceMs;
      const isSpent = input instanceof Request || init?.body instanceof ReadableStream;
      const signal = init?.signal ?? undefined;
      for (;;) {
        try {
          return await send(input, init);
        } catch (error) {
          const code = codeOf(error);
          if (code === undefined) throw error;
          missed(code);
          if (isSpent || Date.now() > until) throw error;
          await sleep(lookMs, undefined, { signal }).catch(() => undefined);
          signal?.throwIfAborted();
        }
      }
    },
    look,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function codeOf(error: unknown): string | undefined {
  const failed = failedFetch.safeParse(error);
  return failed.success ? failed.data.cause.code : undefined;
}
