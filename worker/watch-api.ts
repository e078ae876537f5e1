import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod/mini";

/** Whether the API of a studio or a project can be reached, from a worker beside it. */
export interface WatchedApi {
  /** Nobody has answered there since the last look. */
  isAway(): boolean;
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
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  function lookIn(ms: number | undefined): void {
    clearTimeout(timer);
    if (ms === undefined || isClosed) return;
    timer = setTimeout(() => void look().catch((error: unknown) => log(reasonOf(error))), ms);
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
    lookIn(everyMs);
    const answer = refusalSchema.safeParse(await response.json().catch(() => null));
    if (isAway) log(`The API at ${url} answers again.`);
    isAway = false;
    if (response.status === 401) {
      throw new Error(
        `The API at ${url} refuses the keys of this worker. They have to be those of the same studio or project: STUDIO_KEYS_FILE, or SUPABASE_PUBLISHABLE_KEY and SUPABASE_JWT_KEY or SUPABASE_JWT_SECRET.`,
      );
    }
    if (response.status === 403 && answer.data?.code === "forbidden_origin") {
      throw new Error(
        `${url} is a name that the studio there does not know. Start it with --name ${new URL(url).hostname}.`,
      );
    }
  }

  return {
    isAway: () => isAway,
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
