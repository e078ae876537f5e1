import type { SqlSession } from "../database/sql-session.ts";

/** The major version of a server. */
export async function postgresVersionOf(session: SqlSession): Promise<number> {
  const { rows } = await session.query<{ version: number }>(
    "select current_setting('server_version_num')::integer / 10000 as version",
  );
  return rows[0]?.version ?? 0;
}
