import type postgres from "postgres";
import type { Json } from "../../../src/engine/json.ts";
import type { CredentialFields } from "../_shared/credential-types.ts";
import type { ByteShare } from "../_shared/byte-budget.ts";
import { checkDatabaseTarget } from "../_shared/database-target.ts";
import { success, type Outcome } from "../_shared/failure.ts";
import { cancelledFailure } from "../_shared/network-failure.ts";
import type { SocketTarget } from "../_shared/open-socket.ts";
import type { ResolveHost } from "../_shared/resolve-host.ts";
import type { TargetPolicy } from "../_shared/target-policy.ts";
import { askForTls } from "./ask-for-tls.ts";
import { BoundValue } from "./bound-value.ts";
import { backendKeyOf, cancelUntilHeard } from "./cancel-statement.ts";
import { RowCollector, type ResultColumn } from "./collect-rows.ts";
import { readConnectionString } from "./connection-string.ts";
import { openSession } from "./postgres-session.ts";
import { Rejection } from "./rejection.ts";
import type { SessionPool } from "./session-pool.ts";
import type { Sql } from "./sql-text.ts";
import { renderSql } from "./sql-text.ts";

/** Which servers may be reached, and what ends the connection. */
export interface PostgresOptions {
  policy: TargetPolicy;
  signal?: AbortSignal | undefined;
  resolve?: ResolveHost | undefined;
  /** PEM of a further authority that TLS trusts. */
  certificateAuthority?: string | undefined;
  /** Counts what the call holds in memory. */
  share?: ByteShare | undefined;
  /** Where connections wait for the next call; without it, one is opened and closed for each. */
  pool?: SessionPool | undefined;
}

/** What `query` runs: text of this function with its values inside, or checked text with its values beside it. */
type Statement = Sql | { text: string; parameters: readonly Json[] };

/** One connection, for the length of one call. Everything rejects with the driver's error. */
export interface PostgresConnection {
  /** Runs text of this function, several statements at once if need be. Never text of others. */
  command(text: string): Promise<void>;
  /**
   * Runs one statement by the extended protocol, which takes no second one. Keeps up to `limit` rows and reads on only
   * when `countAll` is on. `affected` is how many rows were changed or came.
   */
  query(
    statement: Statement,
    options: { limit: number; countAll?: boolean },
  ): Promise<{ rows: RowCollector; affected: number }>;
}

const batchSize = 100;
/** Milliseconds for connecting, signing in and ending, besides the statement's own. */
const overheadMs = 10_000;

/**
 * Connects to the Postgres of a credential, or goes on with a connection that waits for it, does one piece of work and gives
 * the connection back or closes it, whatever happened. The host is checked for each call. Fails with words for a refused
 * host; rejects with what the work and the driver reject with. A caller that goes away, and a clock that runs out, cancel the
 * statement in the database too.
 */
export async function withPostgres<Value>(
  fields: CredentialFields<"postgres">,
  allowedHosts: readonly string[],
  options: PostgresOptions & { timeoutMs: number; credential: string },
  work: (connection: PostgresConnection) => Promise<Value>,
): Promise<Outcome<Value>> {
  if (options.signal?.aborted === true) return cancelledFailure();
  const settings = readConnectionString(fields.connectionString);
  if (!settings.ok) return settings;
  const { host, port } = settings.value;
  const checked = await checkDatabaseTarget("Postgres", { host, port, tls: fields.tls }, allowedHosts, options);
  if (!checked.ok) return checked;

  const target: SocketTarget = {
    ...checked.value,
    port,
    tls: fields.tls,
    certificateAuthority: options.certificateAuthority,
    beforeTls: askForTls,
  };
  const { pool, credential, certificateAuthority } = options;
  const key = { credential, ...fields, certificateAuthority };
  const open = () => openSession({ ...settings.value, connectSeconds: overheadMs / 1_000 }, target);
  const kept = pool?.take(key, target.addresses);
  let session = kept ?? open();
  let isUntried = kept !== undefined;
  const stopped = new AbortController();
  const running = new Set<object>();

  async function attempt<Result>(run: (sql: postgres.Sql) => Promise<Result>): Promise<Result> {
    // One that begins after the cancelling would run on with nobody to stop it.
    stopped.signal.throwIfAborted();
    const isFirst = isUntried;
    isUntried = false;
    try {
      return await run(session.sql);
    } catch (error) {
      // A kept connection may have been cut off meanwhile. A call begins with its transaction, so nothing has been done.
      if (!isFirst || session.isOpen() || stopped.signal.aborted) throw error;
      void session.close(true);
      session = open();
      return await run(session.sql);
    }
  }

  const connection: PostgresConnection = {
    async command(text) {
      await attempt(async (sql) => void (await sql.unsafe(text)));
    },
    query: (statement, limits) =>
      attempt((sql) => runStatement(sql, statement, { ...limits, share: options.share }, running)),
  };

  const { end, reason } = whenStopped(options.signal, options.timeoutMs + overheadMs, () => {
    for (const query of running) {
      const backend = backendKeyOf(query);
      if (backend !== undefined) void cancelUntilHeard(target, backend);
    }
    stopped.abort();
    void session.close(true);
  });
  try {
    return await Promise.race([work(connection).then(success), reason]);
  } finally {
    end();
    // The caller does not wait until the connection has been cleaned.
    if (pool !== undefined && !stopped.signal.aborted) void pool.give(key, session);
    else await session.close(stopped.signal.aborted);
  }
}

const arraysAmong = "select oid from pg_catalog.pg_type where oid = any($1::oid[]) and typcategory = 'A'";

async function runStatement(
  sql: postgres.Sql,
  statement: Statement,
  { limit, countAll = false, share }: { limit: number; countAll?: boolean; share: ByteShare | undefined },
  running: Set<object>,
): ReturnType<PostgresConnection["query"]> {
  const { text, parameters } = "text" in statement ? statement : renderSql(statement);
  const rows = new RowCollector(limit, share);
  let isDescribed = false;
  const describe = (result: unknown): void => {
    const columns = columnsOf(result);
    if (isDescribed || columns === undefined) return;
    isDescribed = true;
    rows.describe(columns);
  };
  const values = parameters.map((value) => (value === null ? null : new BoundValue(value)));
  const query = sql.unsafe(text, values).raw();
  running.add(query);
  try {
    const done = await query.cursor(Math.min(batchSize, limit + 1), (batch) => {
      describe(batch);
      for (const row of batch) rows.add(row);
      return rows.truncated && !countAll ? sql.CLOSE : undefined;
    });
    describe(done);
    const possible = rows.possibleArrays;
    if (possible.length > 0) {
      const parameters = [possible];
      const known = await runStatement(
        sql,
        { text: arraysAmong, parameters },
        { limit: possible.length, share },
        running,
      );
      rows.readArrays(known.rows.rows.map(({ oid }) => Number(oid)));
    }
    // In batches the database counts the last one only; without rows that come back it counts all that it changed.
    return { rows, affected: Math.max(done.count ?? 0, rows.count) };
  } finally {
    running.delete(query);
  }
}

function columnsOf(result: unknown): readonly ResultColumn[] | undefined {
  if (typeof result !== "object" || result === null || !("columns" in result)) return undefined;
  const columns: unknown = result.columns;
  if (!Array.isArray(columns)) return undefined;
  return columns.map(({ name, type }: { name: unknown; type: unknown }) => ({
    name: String(name),
    type: Number(type),
  }));
}

/** Resolves when the caller goes away, rejects when the time is over, after `stop` has run; `end` stops waiting. */
function whenStopped(signal: AbortSignal | undefined, milliseconds: number, stop: () => void) {
  const { promise, resolve, reject } = deferred<ReturnType<typeof cancelledFailure>>();
  promise.catch(() => undefined);
  const cancel = (): void => {
    stop();
    resolve(cancelledFailure());
  };
  const timer = setTimeout(() => {
    stop();
    reject(new Rejection("The database did not answer in time.", "Try again, or ask for less.", "timeout"));
  }, milliseconds);
  signal?.addEventListener("abort", cancel, { once: true });
  return {
    reason: promise,
    end(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    },
  };
}

function deferred<Value>() {
  let resolve: (value: Value) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<Value>((settle, fail) => {
    resolve = settle;
    reject = fail;
  });
  return { promise, resolve, reject };
}
