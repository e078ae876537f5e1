import postgres from "postgres";
import { inTime } from "./in-time.ts";
import { canceled, NoAnswer, type SqlDoor, StatementRefused } from "./sql-door.ts";
import { workerStatements } from "./statements.ts";

const mostConnections = 4;
const pollMs = { woken: 2_000, unwoken: 500 };
/** How long a notification of one's own may take to come back. */
const echoMs = 2_000;
const channel = "studio_runs";

/** How long a statement may go unanswered; a claim waits for those of other workers. */
const answerMs = 15_000;

/**
 * Straight to a Postgres. It is listened to for new runs; where that does not work, as behind a pooler that shares
 * connections between transactions, the queue is looked at more often.
 *
 * postgres.js may wait for ever once a connection has ended in the middle of something. So after a failure its client is
 * thrown away, with all its connections, and a new one takes its place.
 */
export async function openPostgresDoor(url: string, log: (line: string) => void): Promise<SqlDoor> {
  const listeners: (() => void)[] = [];
  const wake = () => {
    for (const listener of listeners) listener();
  };
  let sql = openClient(url);
  let isListening = true;
  let isClosed = false;
  const isWoken = await listenTo(sql, wake).catch(async (error: unknown) => {
    await sql.end({ timeout: 1 });
    throw error;
  });
  if (!isWoken) log("The database tells nothing of new runs (no LISTEN): the worker looks for them twice a second.");

  function replace(failed: postgres.Sql): void {
    if (failed !== sql || isClosed) return;
    sql = openClient(url);
    isListening = false;
    void failed.end({ timeout: 1 }).catch(() => undefined);
  }

  /** Once a new client answers. Until then, and where it fails, the queue is looked at by the clock. */
  function listenAgain(client: postgres.Sql): void {
    if (!isWoken || isListening) return;
    isListening = true;
    client.listen(channel, wake).catch(() => {
      if (client === sql) isListening = false;
    });
  }

  return {
    pollMs: isWoken ? pollMs.woken : pollMs.unwoken,
    onWake: (listener) => void listeners.push(listener),
    async ask(statement, parameters) {
      const client = sql;
      try {
        const rows = client.unsafe<Record<string, unknown>[]>(workerStatements[statement], [...parameters]);
        const answer = [...(await inTime(rows, answerMs))];
        if (client === sql) listenAgain(client);
        return answer;
      } catch (error) {
        const failure = asFailure(error);
        if (failure instanceof NoAnswer) replace(client);
        throw failure;
      }
    },
    close() {
      isClosed = true;
      return sql.end({ timeout: 5 });
    },
  };
}

function openClient(url: string): postgres.Sql {
  return postgres(url, {
    max: mostConnections,
    // A pooler knows no prepared statements of other connections.
    prepare: false,
    // What it asks by itself when a connection opens, it asks without anybody to hear of a failure.
    fetch_types: false,
    connection: { application_name: "switchyard-worker" },
    onnotice: () => {},
  });
}

/** Whether a notification comes back that is sent as a test. */
async function listenTo(sql: postgres.Sql, onWake: () => void): Promise<boolean> {
  let hear: (() => void) | undefined;
  const heard = new Promise<boolean>((resolve) => (hear = () => resolve(true)));
  const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), echoMs).unref());
  try {
    await sql.listen(channel, () => {
      hear?.();
      onWake();
    });
    await sql.notify(channel, "");
    return await Promise.race([heard, late]);
  } catch (error) {
    const failure = asFailure(error);
    if (failure instanceof StatementRefused && !failure.code.startsWith(letsNobodyIn)) return false;
    throw failure;
  }
}

/** The class of SQLSTATE of a user or a password that is wrong. */
export const letsNobodyIn = "28";

/** Classes of SQLSTATE that say that the server is not there: connection, resources, operator's intervention. */
const passing = /^(08|53|57)/;

function asFailure(error: unknown): Error {
  if (error instanceof NoAnswer) return error;
  if (!(error instanceof Error)) return new NoAnswer(String(error));
  const code: unknown = Reflect.get(error, "code");
  const isRefusal =
    error.name === "PostgresError" && typeof code === "string" && (code === canceled || !passing.test(code));
  // A deadlock or a serialization failure undid the statement: it may be asked again.
  if (isRefusal && !code.startsWith("40")) return new StatementRefused(error.message, code);
  return new NoAnswer(error.message);
}
