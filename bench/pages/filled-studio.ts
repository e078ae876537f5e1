import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startTestStack } from "../../supabase/local/testing/start-stack.ts";
import { ensureBuilt } from "../../scripts/build-site.mjs";
import { enter } from "../canvas.ts";
import { type AccountSize, fillAccount } from "./fill-account.ts";

const size: AccountSize = {
  workflows: 1_000,
  runs: 50_000,
  eventsPerRun: 20,
  conversations: 2_000,
  messagesPerConversation: 10,
};
/** Somebody else's rows stand between ours. */
const besides: AccountSize = { ...size, workflows: 300, runs: 10_000, conversations: 500 };

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A data directory with two accounts that have much, and what a browser keeps to be the larger one. */
export interface FilledStudio {
  dataDir: string;
  storage: Readonly<Record<string, string>>;
  /** The workflow with the most runs, and with all conversations. */
  workflowId: string;
}

/** Fills a data directory as years of work would, then stops the studio that did it. */
export async function fillStudio(): Promise<FilledStudio> {
  const dataDir = await mkdtemp(join(tmpdir(), "switchyard-pages-"));
  await ensureBuilt(root);
  const site = join(root, "dist");
  const stack = await startTestStack({ dataDir, site, statementDeadlineMs: 10 * 60_000, log: () => {} });
  try {
    const database = stack.database.connect();
    const ids: string[] = [];
    const [other, own] = [await enter(stack), await enter(stack)];
    for (const [guest, wanted] of [
      [other, besides],
      [own, size],
    ] as const) {
      await guest.runs.setRetention({ keepDays: null, keepRuns: 1_000_000 });
      ids.push(await fillAccount(database, guest.accountId, wanted));
    }
    await database.query("analyze");
    // Written now, or the first page would wait for it.
    await database.query("checkpoint");
    return { dataDir, storage: own.storage, workflowId: ids[1] ?? "" };
  } finally {
    await stack.stop();
  }
}
