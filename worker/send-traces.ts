import { z } from "zod/mini";
import { type SendOptions, sendFor } from "./send-notices.ts";

const claimed = z.nullable(z.object({ workflowId: z.string(), runs: z.array(z.string()) }));

/** Runs that one request carries. */
const runsAtOnce = 20;

/**
 * Has traces of finished runs of an owner that are due sent to their collector by the edge function, which stores what became of
 * each. Those whose function does not answer come due again by themselves; that is thrown. Gives whether there were some.
 */
export async function sendTracesOf(owner: string, options: SendOptions): Promise<boolean> {
  const [row] = await options.door.ask("claimTraces", [options.worker, runsAtOnce, owner]);
  const due = claimed.parse(row?.["answer"] ?? null);
  if (due === null || due.runs.length === 0) return false;
  await sendFor(owner, options, "send-traces", { workflow: due.workflowId, runs: due.runs });
  return true;
}
