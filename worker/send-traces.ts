import { z } from "zod/mini";
import { createFunctionClient } from "../src/host/function-client.ts";
import type { StudioAccess } from "./server-host.ts";

const claimed = z.nullable(z.object({ owner: z.string(), workflowId: z.string(), runs: z.array(z.string()) }));

/** Runs that one request carries. */
const mostRuns = 20;
/** So many requests are made in one go; the rest come with the next. */
const mostRequests = 20;

interface TraceOptions extends Pick<StudioAccess, "url" | "publishableKey"> {
  /** Which worker asks. */
  worker: string;
  door: {
    ask(statement: "claimTraces", parameters: readonly [string, number]): Promise<Record<string, unknown>[]>;
  };
  /** A token of the owner that lasts for some minutes. */
  tokenFor(owner: string): Promise<string>;
}

/**
 * Has the traces of finished runs that are due sent to their collectors by the edge function, which stores what became of each.
 * Those whose function does not answer come due again by themselves; that is thrown, for the log. Gives how many runs it took.
 */
export async function sendDueTraces({ door, worker, url, publishableKey, tokenFor }: TraceOptions): Promise<number> {
  let taken = 0;
  for (let count = 0; count < mostRequests; count += 1) {
    const [row] = await door.ask("claimTraces", [worker, mostRuns]);
    const due = claimed.parse(row?.["answer"] ?? null);
    if (due === null || due.runs.length === 0) break;
    const call = createFunctionClient({
      functionsUrl: `${url}/functions/v1`,
      publishableKey,
      accessToken: () => tokenFor(due.owner),
    });
    const body = { workflow: due.workflowId, runs: due.runs };
    const sent = await call("send-traces", body, { signal: AbortSignal.timeout(60_000) });
    if (!sent.ok) throw new Error(sent.error.message);
    taken += due.runs.length;
  }
  return taken;
}
