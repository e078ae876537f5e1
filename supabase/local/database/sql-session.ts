/** One session of Postgres, on which nobody else works meanwhile: PGlite's, or a connection to a server. */
export interface SqlSession {
  query<Row = Record<string, unknown>>(sql: string, parameters?: unknown[]): Promise<SqlResult<Row>>;
  /** Runs statements that are separated by semicolons; one result for each. */
  exec(sql: string): Promise<SqlResult<Record<string, unknown>>[]>;
}

export interface SqlResult<Row> {
  rows: Row[];
  affectedRows?: number | undefined;
}

/** Commits what `task` did when it resolves, and rolls it back when it rejects. */
export async function inTransaction<Result>(session: SqlSession, task: () => Promise<Result>): Promise<Result> {
  await session.exec("begin");
  try {
    const result = await task();
    await session.exec("commit");
    return result;
  } catch (error) {
    // Whatever keeps it from being rolled back, the first error says more.
    await session.exec("rollback").catch(() => undefined);
    throw error;
  }
}
