import { type FunctionPause, functionUnavailable } from "./function-unavailable.ts";

/** The functions that runs and chores of a worker call. The rest serve browsers and strangers. */
export const functionsOfWorkers = [
  "llm-proxy",
  "execute-http",
  "sql-tool",
  "redis-memory",
  "mcp-proxy",
  "files",
  "conversations",
  "send-notice",
  "send-traces",
] as const;

/** What the process that runs workflows tells the one that holds the functions. */
export type FunctionQuestion = { kind: "call"; id: number; name: string } | { kind: "ended"; id: number };

/** Where a function answers, and what proves that the call comes from its own worker; or why it does not answer now. */
export type FunctionPlace =
  | { kind: "place"; id: number; origin: string; token: string }
  | ({ kind: "pause"; id: number } & FunctionPause);

/** The header that carries the proof. */
export const functionsTokenHeader = "x-switchyard-functions-token";

/** The process that holds the functions, from the one that runs workflows. */
export interface FunctionHolder {
  ask(question: FunctionQuestion): void;
  onPlace(listener: (place: FunctionPlace) => void): void;
}

/**
 * A `fetch` that makes calls of `functionsUrl` at the functions beside this worker, and all others as they are. A function that
 * does not run is answered as a gateway would: 503 with what is known.
 */
export function fetchBeside(
  functionsUrl: string,
  holder: FunctionHolder,
  elsewhere: typeof fetch = fetch,
): typeof fetch {
  const beside = new Set<string>(functionsOfWorkers);
  const asked = new Map<number, (place: FunctionPlace) => void>();
  let lastId = 0;
  holder.onPlace((place) => {
    asked.get(place.id)?.(place);
    asked.delete(place.id);
  });

  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const path = url.startsWith(`${functionsUrl}/`) ? url.slice(functionsUrl.length) : "";
    const name = /^\/([\w-]+)/.exec(path)?.[1] ?? "";
    if (!beside.has(name)) return elsewhere(input, init);
    lastId += 1;
    const id = lastId;
    const ended = () => holder.ask({ kind: "ended", id });
    const place = await new Promise<FunctionPlace>((resolve) => {
      asked.set(id, resolve);
      holder.ask({ kind: "call", id, name });
    });
    try {
      if (place.kind === "pause") throw new Error(place.message);
      const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
      headers.set(functionsTokenHeader, place.token);
      // Compressed, the pieces of an answer would wait for each other.
      headers.set("accept-encoding", "identity");
      const target = `${place.origin}${path}`;
      const made = input instanceof Request ? new Request(target, input) : target;
      return untilRead(await elsewhere(made, { ...init, headers }), ended);
    } catch (error) {
      ended();
      const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
      if (signal?.aborted) throw error;
      return functionUnavailable(name, place.kind === "pause" ? place : undefined);
    }
  };
}

/** The same answer, which tells once when it was read, left or broken off. */
function untilRead(response: Response, tell: () => void): Response {
  if (response.body === null) {
    tell();
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          tell();
          controller.close();
        } catch (error) {
          tell();
          controller.error(error);
        }
      },
      cancel(reason) {
        tell();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

/** The process that started this one, where it holds the functions. */
export function functionsOfParent(): FunctionHolder {
  return {
    ask: (question) => void process.send?.(question, undefined, undefined, () => undefined),
    onPlace: (listener) => void process.on("message", listener),
  };
}
