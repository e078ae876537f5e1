import { type DatabaseClient, StatementError } from "../database/database-client.ts";
import type { OnlineBackup } from "./copy-database-files.ts";

/** PostgreSQL's code for what the state of the server does not allow. */
const wrongState = "55000";

const beginSql = "select pg_walfile_name(pg_backup_start('switchyard', true)) as name";

/** A command copies for no longer than this, its files of the log after the end of the backup included. */
const maxMs = 2 * 60 * 60 * 1_000;

/**
 * The online backup of a database that a studio holds. A backup that was begun and not ended gives way to the next. `isUnderWay` says
 * whether files may be copied now.
 */
export function createOnlineBackup(client: Pick<DatabaseClient, "query">): OnlineBackup & { isUnderWay(): boolean } {
  let begunAt = -Infinity;

  async function begin(): Promise<string | undefined> {
    try {
      return (await client.query<{ name: string }>(beginSql)).rows[0]?.name;
    } catch (error) {
      if (!(error instanceof StatementError) || error.code !== wrongState) throw error;
      await client.query("select from pg_backup_stop(false)");
      return (await client.query<{ name: string }>(beginSql)).rows[0]?.name;
    }
  }
  return {
    isUnderWay: () => Date.now() - begunAt < maxMs,
    async begin() {
      begunAt = Date.now();
      const firstLog = await begin();
      if (firstLog === undefined) throw new Error("The database did not say where its log begins.");
      return { firstLog };
    },
    async end() {
      const { rows } = await client.query<{ label: string; name: string }>(
        "select labelfile as label, pg_walfile_name(lsn) as name from pg_backup_stop(false)",
      );
      const [row] = rows;
      if (!row) throw new Error("The database did not say where its log ends.");
      return { lastLog: row.name, label: row.label };
    },
  };
}
