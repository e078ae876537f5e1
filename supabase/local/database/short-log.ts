import { errorText } from "../start-error.ts";
import { type DatabaseClient, DatabaseUnavailable } from "./database-client.ts";

export interface ShortLogOptions {
  log: (line: string) => void;
  /** Whether the files are being copied: a checkpoint would remove log that the copy needs. */
  isCopied: () => boolean;
  everyMs?: number;
  /** Bytes of log after which a checkpoint is due. */
  maxBytes?: number;
}

/**
 * Keeps the log of an embedded database short. A Postgres that is one process takes no checkpoint by itself while it runs, so that its
 * log would grow for as long as the studio does, and be read as a whole after a crash.
 */
export function keepLogShort(
  client: Pick<DatabaseClient, "query">,
  { isCopied, log, everyMs = 30_000, maxBytes = 64 * 1024 * 1024 }: ShortLogOptions,
): { stop(): void } {
  let last: number | undefined;
  let underWay = false;
  let isTold = false;

  async function look(): Promise<void> {
    const { rows } = await client.query<{ bytes: number }>(
      "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes",
    );
    const bytes = rows[0]?.bytes ?? 0;
    if (last !== undefined && bytes - last < maxBytes) return;
    if (isCopied()) return;
    // One that fails, as on a full disk, is tried again once there is more.
    last = bytes;
    await client.query("checkpoint");
  }

  async function lookOnce(): Promise<void> {
    if (underWay) return;
    underWay = true;
    try {
      await look();
      isTold = false;
    } catch (error) {
      // Where it is being restarted, that takes a checkpoint.
      if (!(error instanceof DatabaseUnavailable) && !isTold)
        log(
          `The database's log could not be shortened (${errorText(error)}). It is tried again while the studio runs.`,
        );
      isTold = true;
    } finally {
      underWay = false;
    }
  }

  const timer = setInterval(() => void lookOnce(), everyMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
