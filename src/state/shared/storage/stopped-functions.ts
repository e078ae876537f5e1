import { z } from "zod/mini";
import { ownErrorHeader } from "../../../engine/studio-headers.ts";

/** Which of the embedded backend's functions do not run at the moment, for whoever shows it. */
export interface StoppedFunctions {
  /** By name; the same array until something changes. */
  names(): readonly string[];
  subscribe(listener: () => void): () => void;
  /** The same `fetch`, which notices when a function does not run. */
  noticing(send: typeof fetch): typeof fetch;
}

const statusSchema = z.object({ functions: z.array(z.object({ name: z.string(), state: z.string() })) });

/** Notices by the answers of calls that a function has stopped, and by asking `statusUrl` that it can be called again. */
export function createStoppedFunctions(
  statusUrl: string,
  sleep: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): StoppedFunctions {
  const listeners = new Set<() => void>();
  let stopped: readonly string[] = [];

  function set(names: readonly string[]): void {
    if (names.join() === stopped.join()) return;
    const watched = stopped.length > 0;
    stopped = names;
    for (const listener of listeners) listener();
    if (!watched && names.length > 0) void watch();
  }

  async function watch(): Promise<void> {
    while (stopped.length > 0) {
      await sleep(1_000);
      const waiting = await functionsThatWait(statusUrl);
      set(stopped.filter((name) => waiting.includes(name)));
    }
  }

  return {
    names: () => stopped,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    noticing: (send) => async (input, init) => {
      const response = await send(input, init);
      if (response.status !== 503 || !response.headers.has(ownErrorHeader)) return response;
      const [, name] = /\/functions\/v1\/([\w-]+)/.exec(response.url) ?? [];
      if (name === undefined || stopped.includes(name)) return response;
      // A function that is only full says so by the same status.
      void functionsThatWait(statusUrl).then((waiting) => {
        if (waiting.includes(name)) set([...stopped, name].toSorted());
      });
      return response;
    },
  };
}

/** None where the backend does not say. */
async function functionsThatWait(statusUrl: string): Promise<string[]> {
  try {
    const { functions } = statusSchema.parse(await (await fetch(statusUrl)).json());
    return functions.filter(({ state }) => state === "waiting").map(({ name }) => name);
  } catch {
    return [];
  }
}
