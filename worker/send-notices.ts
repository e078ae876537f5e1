import { z } from "zod/mini";
import { createFunctionClient } from "../src/host/function-client.ts";
import type { StudioAccess } from "./server-host.ts";

const claimed = z.nullable(z.object({ id: z.string(), owner: z.string() }));

/** So many are sent in one go; the rest come with the next. */
const mostAtOnce = 20;

interface NoticeOptions extends Pick<StudioAccess, "url" | "publishableKey"> {
  /** Which worker asks. */
  worker: string;
  door: { ask(statement: "claimNotice", parameters: readonly [string]): Promise<Record<string, unknown>[]> };
  /** A token of the owner that lasts for some minutes. */
  tokenFor(owner: string): Promise<string>;
}

/**
 * Has the notices of failures that are due sent by the edge function, which stores what became of each. One whose function does
 * not answer comes due again by itself; that is thrown, for the log. Gives how many it took.
 */
export async function sendDueNotices({ door, worker, url, publishableKey, tokenFor }: NoticeOptions): Promise<number> {
  for (let count = 0; count < mostAtOnce; count += 1) {
    const [row] = await door.ask("claimNotice", [worker]);
    const notice = claimed.parse(row?.["answer"] ?? null);
    if (notice === null) return count;
    const call = createFunctionClient({
      functionsUrl: `${url}/functions/v1`,
      publishableKey,
      accessToken: () => tokenFor(notice.owner),
    });
    const sent = await call("send-notice", { notice: notice.id }, { signal: AbortSignal.timeout(60_000) });
    if (!sent.ok) throw new Error(sent.error.message);
  }
  return mostAtOnce;
}
