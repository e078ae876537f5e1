import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startTestStack } from "../../supabase/local/testing/start-stack.ts";
import { ensureBuilt } from "../../scripts/build-site.mjs";
import { newGuest } from "../../e2e/guest.ts";
import { type AccountSize, fillAccount } from "./fill-account.ts";

const size: AccountSize = {
  workflows: 1_000,
  runs: 50_000,
  eventsPerRun: 20,
  conversations: 2_000,
  messagesPerConversation: 10,
};
const sizes = {
  large: size,
  /** As much as fills the first page of each list, so that it is drawn as much as for the large one. */
  small: { ...size, workflows: 100, runs: 1_000, conversations: 60 },
  /** Somebody else's rows stand between the others. */
  other: { ...size, workflows: 300, runs: 10_000, conversations: 500 },
} satisfies Record<string, AccountSize>;

/** An account that was filled. */
export interface FilledAccount {
  /** What a browser keeps to be it. */
  storage: Readonly<Record<string, string>>;
  /** The workflow with the most runs, and with all conversations. */
  workflowId: string;
  runs: number;
}

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Fills a data directory as years of work would, then stops the studio that did it. */
export async function fillStudio(): Promise<{ dataDir: string; large: FilledAccount; small: FilledAccount }> {
  const dataDir = await mkdtemp(join(tmpdir(), "switchyard-pages-"));
  await ensureBuilt(root);
  const site = join(root, "dist");
  const stack = await startTestStack({ dataDir, site, statementDeadlineMs: 10 * 60_000, log: () => {} });
  try {
    const database = stack.database.connect();
    const fill = async (wanted: AccountSize): Promise<FilledAccount> => {
      const guest = await newGuest(stack);
      await guest.runs.setRetention({ keepDays: null, keepRuns: 1_000_000 });
      const workflowId = await fillAccount(database, guest.accountId, wanted);
      return { storage: guest.storage, workflowId, runs: wanted.runs };
    };
    await fill(sizes.other);
    const small = await fill(sizes.small);
    const large = await fill(sizes.large);
    await database.query("analyze");
    // Written now, or the first page would wait for it.
    await database.query("checkpoint");
    return { dataDir, large, small };
  } finally {
    await stack.stop();
  }
}
