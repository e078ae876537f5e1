import { type DatabaseClient, DatabaseUnavailable, type QueryResult, StatementError } from "./database-client.ts";
import type { ApiAnswer, ApiRequest, Outcome } from "./database-messages.ts";
import type { DatabaseState, SupervisedDatabase } from "./database-supervisor.ts";
import { currentSender } from "../http/current-sender.ts";
import { watchIdleness } from "./idle-transaction.ts";
import { createTurnQueue } from "../http/turn-queue.ts";

/** The database as the rest of the studio sees it: the API's requests and the clients' SQL, one turn at a time. */
export interface DatabaseService {
  readonly state: DatabaseState;
  /** The process that holds the database right now. */
  readonly pid: number | undefined;
  /** Answers a request below /rest/v1 or /auth/v1. Rejects with DatabaseUnavailable when there is no answer. */
  request(request: ApiRequest): Promise<ApiAnswer>;
  /** A client of its own for SQL, as the database's superuser. `onlyReads`: its statements change nothing. */
  connect(options?: { onlyReads?: boolean }): DatabaseClient;
  /** How often something may have been changed, by anybody; null where others may do so unseen. */
  changes(): number | null;
  /** What the database was asked so far: turns taken at it, and how long they took together. For measurements. */
  work(): DatabaseWork;
  stop(): Promise<void>;
}

/** Turns at the database, their time, and how long they waited to begin. */
export interface DatabaseWork {
  turns: number;
  ms: number;
  waitedMs: number;
}

/** How long a restart, or somebody else's long statement, keeps a request waiting before it is told to come again. */
const patienceMs = 1_500;
/** More than this many waiting requests would only pile up memory; one party alone never takes all their places. */
export const maxWaiting = { all: 1_000, ofOne: 400 };
/** How long a transaction may keep the others waiting between two of its statements. */
const idleTransactionMs = 5_000;
/** How often a database that nobody asks is asked whether it is there, and how long its answer may take. */
const usualHealthCheckMs = 15_000;
const healthDeadlineMs = 1_000;

export function createDatabaseService(
  database: SupervisedDatabase,
  { healthCheckMs = usualHealthCheckMs }: { healthCheckMs?: number | undefined } = {},
): DatabaseService {
  const queue = createTurnQueue();
  const requests = {};
  const checks = {};
  let stopped = false;
  let changes = 0;

  // A process that hangs is found and ended before somebody needs it: what takes too long is ended by its supervisor.
  const health = setInterval(() => {
    if (database.state !== "ready" || queue.length() > 0) return;
    const question = { kind: "statement", sql: "select 1", parameters: [] } as const;
    queue.take(checks, () => database.work(question, healthDeadlineMs)).catch(() => undefined);
  }, healthCheckMs);

  // Requests do not wait behind a statement that may well end at its deadline only.
  const impatience = setInterval(() => {
    if (database.busyMs < patienceMs) return;
    queue.drop("not-started", ({ owner, waitedMs }) => owner === requests && waitedMs >= patienceMs);
  }, 250);

  function connect({ onlyReads = false } = {}): DatabaseClient {
    const client = {};
    let closed = false;
    let endTransaction: (() => void) | undefined;

    const turn = <Result>(task: () => Promise<Result>): Promise<Result> => {
      if (closed || stopped) return Promise.reject(new DatabaseUnavailable("closed"));
      return queue.take(client, async () => {
        await database.ready();
        try {
          return await task();
        } finally {
          if (!onlyReads) changes += 1;
        }
      });
    };

    return {
      query: <Row>(sql: string, parameters: readonly unknown[] = []) =>
        turn(async () => {
          const outcome = await database.work({ kind: "statement", sql, parameters });
          if (leftOpen(outcome)) await database.work({ kind: "statement", sql: "rollback", parameters: [] });
          return rowsOf<Row>(outcome);
        }),
      transaction: (task) =>
        turn(async () => {
          const { generation } = database;
          const statement = async (sql: string, parameters: readonly unknown[] = []) => {
            // Whatever was done before a restart is rolled back; the rest must not run on its own.
            if (database.generation !== generation) throw new DatabaseUnavailable("not-started");
            return database.work({ kind: "statement", sql, parameters });
          };
          let over = false;
          const idle = watchIdleness(idleTransactionMs);
          endTransaction = idle.expire;
          rowsOf(await statement("begin"));
          try {
            const result = await Promise.race([
              idle.expired,
              task({
                async query<Row>(sql: string, parameters: readonly unknown[] = []) {
                  if (over) throw new DatabaseUnavailable("closed");
                  return rowsOf<Row>(await idle.whileWorking(() => statement(sql, parameters)));
                },
              }),
            ]);
            over = true;
            rowsOf(await statement("commit"));
            return result;
          } catch (error) {
            over = true;
            // A process that has ended has rolled back already.
            await idle
              .settled()
              .then(() => statement("rollback"))
              .catch(() => undefined);
            throw error;
          } finally {
            idle.stop();
            endTransaction = undefined;
          }
        }),
      close() {
        closed = true;
        queue.drop("closed", ({ owner }) => owner === client);
        endTransaction?.();
      },
    };
  }

  return {
    get state() {
      return database.state;
    },
    get pid() {
      return database.pid;
    },
    async request(request) {
      if (stopped) throw new DatabaseUnavailable("closed");
      const party = currentSender.getStore();
      const isFull = queue.length() >= maxWaiting.all || queue.length(party?.name ?? requests) >= maxWaiting.ofOne;
      if (isFull) throw new DatabaseUnavailable("not-started");
      const since = Date.now();
      const patienceLeft = () => Math.max(0, patienceMs - (Date.now() - since));
      await database.ready(patienceMs);
      const task = async () => {
        await database.ready(patienceLeft());
        try {
          return await database.work({ kind: "request", request });
        } finally {
          if (request.method !== "GET" && request.method !== "HEAD") changes += 1;
        }
      };
      const outcome = await queue.take(requests, task, party?.name, party?.member);
      if (outcome.kind === "answer") return outcome.answer;
      throw new Error(outcome.kind === "failed" ? outcome.message : "The database's process answered out of turn.");
    },
    connect,
    changes: () => changes,
    work: queue.work,
    async stop() {
      stopped = true;
      clearInterval(impatience);
      clearInterval(health);
      queue.drop("closed", () => true);
      await database.stop();
    },
  };
}

/** Whether a statement outside of a transaction has left one open. */
function leftOpen(outcome: Outcome): boolean {
  return (outcome.kind === "rows" || outcome.kind === "refused") && outcome.inTransaction;
}

/** The rows as the caller's statement promises them. */
function rowsOf<Row>(outcome: Outcome): QueryResult<Row> {
  switch (outcome.kind) {
    case "rows":
      return { rows: outcome.rows as Row[], affectedRows: outcome.affectedRows };
    case "refused":
      throw new StatementError(outcome);
    case "failed":
      throw new Error(outcome.message);
    case "answer":
      throw new Error("The database's process answered out of turn.");
    default:
      return outcome satisfies never;
  }
}
