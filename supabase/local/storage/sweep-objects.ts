import type { DatabaseClient } from "../database/database-client.ts";
import { errorText } from "../start-error.ts";
import type { StoredObjects } from "./stored-objects.ts";

export interface SweepOptions {
  log: (line: string) => void;
  /** Whether the files are being copied: what the copy names has to be there. */
  isCopied: () => boolean;
  everyMs?: number;
}

/** Objects that one look deletes at most. */
const maxObjects = 100;

/**
 * Deletes bytes that no file holds any more, such as those of deleted runs and accounts. Functions do the same whenever a file is
 * stored; where nobody stores one, this does.
 */
export function sweepObjects(
  client: Pick<DatabaseClient, "query">,
  objects: Pick<StoredObjects, "remove">,
  { isCopied, log, everyMs = 600_000 }: SweepOptions,
): { sweep(): Promise<void>; stop(): void } {
  let underWay = false;
  let isTold = false;

  function tell(problem: string): void {
    if (!isTold) log(`Bytes of deleted files could not be removed (${problem}). It is tried again.`);
    isTold = true;
  }

  async function sweep(): Promise<void> {
    if (underWay || isCopied()) return;
    underWay = true;
    try {
      const { rows } = await client.query<{ folder: string; blob: string }>(
        "select folder, blob from public.studio_due_blobs($1)",
        [maxObjects],
      );
      let isWhole = true;
      for (const { folder, blob } of rows) {
        const problem = await objects.remove(`${folder}/${blob}`).then(() => undefined, errorText);
        // One that cannot be deleted holds up none of the others, nor the next look.
        const note = problem === undefined ? "studio_forget_blob" : "studio_postpone_blob";
        await client.query(`select public.${note}($1, $2)`, [folder, blob]);
        if (problem === undefined) continue;
        isWhole = false;
        tell(problem);
      }
      if (isWhole) isTold = false;
    } catch (error) {
      tell(errorText(error));
    } finally {
      underWay = false;
    }
  }

  const timer = setInterval(() => void sweep(), everyMs);
  timer.unref();
  return { sweep, stop: () => clearInterval(timer) };
}
