import { z } from "zod/mini";
import type { FunctionResult } from "../src/engine/host.ts";
import { createFunctionClient } from "../src/state/shared/storage/function-client.ts";
import type { TokenSource } from "./account-tokens.ts";
import type { StudioAccess } from "./server-host.ts";
import { NoAnswer, type SqlDoor } from "./sql-door.ts";

/** What is needed to have something sent for an owner. */
export interface SendOptions extends Pick<StudioAccess, "url" | "publishableKey" | "fetch"> {
  /** Which worker asks. */
  worker: string;
  door: Pick<SqlDoor, "ask">;
  /** Gives tokens of an owner that last for some minutes. */
  tokens: TokenSource;
}

/**
 * Has the notice of an owner's failures that has been due longest sent by the edge function, which stores what became of it. One
 * whose function does not answer comes due again by itself; that is thrown. Gives whether there was one.
 */
export async function sendNoticeOf(owner: string, options: SendOptions): Promise<boolean> {
  const [row] = await options.door.ask("claimNotice", [options.worker, owner]);
  const notice = z.nullable(z.string()).parse(row?.["answer"] ?? null);
  if (notice === null) return false;
  await sendFor(owner, options, "send-notice", { notice });
  return true;
}

/** Statuses of a function that is not there, or has too much to do: nobody's trouble but its own. */
const passing: ReadonlySet<number> = new Set([0, 429, 502, 503, 504]);

/** Calls an edge function for an owner. Rejects with NoAnswer where it could not be reached, and with its words where it refused. */
export async function sendFor(
  owner: string,
  { url, publishableKey, fetch: send, tokens }: SendOptions,
  name: "send-notice" | "send-traces",
  body: Parameters<ReturnType<typeof createFunctionClient>>[1],
): Promise<void> {
  const call = createFunctionClient({
    functionsUrl: `${url}/functions/v1`,
    publishableKey,
    ...(send ? { fetch: send } : {}),
    accessToken: () => tokens.tokenFor(owner),
  });
  const sent: FunctionResult = await call(name, body, { signal: AbortSignal.timeout(60_000) });
  if (sent.ok) return;
  throw passing.has(sent.status) ? new NoAnswer(sent.error.message) : new Error(sent.error.message);
}
