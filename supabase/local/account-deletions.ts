import { setTimeout as sleep } from "node:timers/promises";
import type { DatabaseService } from "./database-service.ts";
import { errorText } from "./start-error.ts";

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
  let again = false;
  let working: Promise<void> | undefined;

  /** Rejects when it is stopped. */
  const rest = (ms: number) => sleep(ms, undefined, { signal });

  async function deleteAll(): Promise<void> {
    const client = database.connect();
    try {
      while (!signal.aborted) {
        again = false;
        try {
          const { rows } = await client.query<{ gone: boolean | null }>(
            "select private.studio_delete_part($1::integer) as gone",
            [partMs],
          );
          if (rows[0]?.gone === true) log("An account was deleted, with everything that it owned.");
          else if (rows[0]?.gone !== false && !again) return;
          await rest(restMs);
        } catch (error) {
          if (signal.aborted) return;
          log(`An account could not be deleted yet: ${errorText(error)}. It is tried again.`);
          await rest(pauseMs);
        }
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
