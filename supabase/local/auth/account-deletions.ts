import { setTimeout as sleep } from "node:timers/promises";
import { createChoreRounds } from "../../../worker/chore-rounds.ts";
import { chores } from "../../../worker/chores.ts";
import { logSeldom } from "../../../worker/log-seldom.ts";
import type { DatabaseClient } from "../database/database-client.ts";
import type { DatabaseService } from "../database/database-service.ts";
import { statementsOn } from "../workers/worker-statements.ts";

/** Calls after which an account is to be deleted. */
export const deletingPaths = new Set(
  ["studio_delete_my_account", "studio_delete_account"].map((name) => `/rest/v1/rpc/${name}`),
);

/** Deletes what accounts own whose people have left, in parts, while others are served. */
export interface AccountDeletions {
  /** Says that there may be one. */
  wake(): void;
  /** Ends after the part under way. The next start goes on. */
  stop(): Promise<void>;
}

/** How long one part keeps the database, about, and how long others have it to themselves then. */
const partMs = 50;
const restMs = 10;
/** After a failure, as while the database restarts. */
const pauseMs = 2_000;

/** Goes on at once with what an earlier process has left. */
export function startAccountDeletions(options: {
  database: Pick<DatabaseService, "connect">;
  log: (line: string) => void;
}): AccountDeletions {
  const { database, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const say = logSeldom((line) => {
    if (!signal.aborted) log(line);
  });
  let again = false;
  let working: Promise<void> | undefined;

  /** Rejects when it is stopped. */
  const rest = (ms: number) => sleep(ms, undefined, { signal });

  async function deleteAll(): Promise<void> {
    const client = database.connect();
    const door = statementsOn(client);
    const rounds = createChoreRounds({ door, tell: say, isStopped: () => signal.aborted });
    const serve = async (owner: string) => {
      await rest(restMs);
      const [row] = await door.ask("deleteOwnerPart", [owner, partMs]);
      if (row?.["answer"] === true) log("An account was deleted, with everything that it owned.");
      return row?.["answer"] === false;
    };
    try {
      while (!signal.aborted) {
        again = false;
        await rounds.run("deletions", { ...chores.deletions, serve });
        if (again) continue;
        if (!(await areSome(client))) return;
        await rest(pauseMs);
      }
    } finally {
      client.close();
    }
  }

  function wake(): void {
    again = true;
    if (signal.aborted) return;
    working ??= deleteAll()
      .catch(() => undefined)
      .finally(() => {
        working = undefined;
        if (again) wake();
      });
  }

  wake();
  return {
    wake,
    async stop() {
      stopping.abort();
      await working;
    },
  };
}

/** Whether an account is still being deleted; also while the database does not say. */
async function areSome(client: Pick<DatabaseClient, "query">): Promise<boolean> {
  try {
    const { rows } = await client.query<{ some: boolean }>(
      "select exists (select from private.studio_deletions) as some",
    );
    return rows[0]?.some === true;
  } catch {
    return true;
  }
}
