import type { DatabaseService } from "../database/database-service.ts";
import { inTransaction, type SqlSession } from "../database/sql-session.ts";

/** Whether published workflows rest, as they do after a restore until somebody says that they may go on. */
export interface StudioPause {
  isPaused(): boolean;
  /** Lets them go on. */
  resume(): Promise<void>;
  close(): void;
}

/** Others may end the pause: another studio on the same database, or a command. */
const lookMs = 2_000;
/** In no backup of a server: a restore pauses the studio before it brings the rows. */
export const pauseTable = "private.studio_pause";
const lookSql = `select from ${pauseTable}`;
const resumeSql = `delete from ${pauseTable}`;

/** Reads whether the studio pauses; a pause begins only while no studio runs. `onResume` is called when it is over. */
export async function watchPause(
  database: Pick<DatabaseService, "connect">,
  onResume: () => void,
): Promise<StudioPause> {
  const client = database.connect();
  let paused = (await client.query(lookSql)).rows.length > 0;
  let timer: NodeJS.Timeout | undefined;

  function end(): void {
    if (!paused) return;
    paused = false;
    clearInterval(timer);
    onResume();
  }

  if (paused) {
    timer = setInterval(() => {
      client.query(lookSql).then(
        ({ rows }) => rows.length === 0 && end(),
        () => undefined,
      );
    }, lookMs);
    timer.unref();
  }

  return {
    isPaused: () => paused,
    async resume() {
      await client.query(resumeSql);
      end();
    },
    close() {
      clearInterval(timer);
      client.close();
    },
  };
}

/** Ends the pause of a database that no studio has open. Whether there was one. */
export async function endPause(session: SqlSession): Promise<boolean> {
  return ((await session.query(resumeSql)).affectedRows ?? 0) > 0;
}

export async function beginPause(session: SqlSession, createdAt: string): Promise<void> {
  await session.query(
    `insert into ${pauseTable} (reason) values ($1)
     on conflict (only_one) do update set since = now(), reason = excluded.reason`,
    [`Restored from the backup of ${createdAt}.`],
  );
}

/** What was changed in restored data, so that nothing happens twice. */
export interface Settled {
  sessions: number;
  /** Runs that were under way. */
  runs: number;
}

/**
 * Makes restored data safe to start: published workflows rest, all sessions are over, and runs that were under way wait for a person.
 * What such a run did after the backup is in no log, so that going on by itself might do it twice. One that waits for an approval or
 * a form goes on waiting.
 */
export function settleRestored(session: SqlSession, createdAt: string): Promise<Settled> {
  return inTransaction(session, async () => {
    await beginPause(session, createdAt);
    const sessions = await session.query("delete from auth.sessions");
    await session.query("delete from auth.refresh_tokens");
    await session.query("delete from private.studio_workers");
    const error = {
      code: "internal",
      retryable: true,
      message: `The studio was restored from the backup of ${createdAt}, in which this run was under way. What it did after that is not recorded.`,
      hint: "Check what it has done outside of the studio. Then go on from its last step, or start it again.",
    };
    const runs = await session.query(
      `update public.studio_runs as runs set
         status = 'interrupted', ended_at = now(), lease_until = null, worker = null, error = $1::text::jsonb
       where runs.source <> 'editor' and (
         runs.status in ('queued', 'running')
         or (runs.status = 'waiting' and exists (
           select from public.studio_run_waits as waits
           where waits.run_id = runs.id and (waits.kind = 'time' or waits.decision is not null))))`,
      [JSON.stringify(error)],
    );
    return { sessions: sessions.affectedRows ?? 0, runs: runs.affectedRows ?? 0 };
  });
}
