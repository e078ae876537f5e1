import { ownErrorHeader } from "../src/engine/studio-headers.ts";

/** Functions whose calls may be made again when nobody knows what became of them: a model has no memory of the question. */
const repeatable = new Set(["llm-proxy"]);

/** What is known of a function that does not run. */
export interface FunctionPause {
  message: string;
  /** Seconds until it is worth to ask again. */
  retryAfter: number;
}

/** 503 with Retry-After: the function does not run, or stopped while it worked on the call, where no pause is known. */
export function functionUnavailable(name: string, pause?: FunctionPause): Response {
  const retryAfter = pause?.retryAfter ?? 1;
  const message =
    pause?.message ??
    `The edge function ${name} stopped before it answered, so it is not known what the call has done.`;
  const retryable = pause !== undefined || repeatable.has(name);
  const again = `try again in ${retryAfter === 1 ? "a second" : `${retryAfter} seconds`}`;
  const hint = `It starts again by itself: ${retryable ? again : `check whether it was done, then ${again}`}. The terminal says why it stopped.`;
  return Response.json(
    { error: { code: "internal", message, hint, retryable } },
    { status: 503, headers: { "retry-after": String(retryAfter), [ownErrorHeader]: "1" } },
  );
}
