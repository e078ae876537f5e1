import postgres from "postgres";
import { NoAnswer, type SqlDoor, StatementRefused } from "./sql-door.ts";
import { workerStatements } from "./statements.ts";

const mostConnections = 4;
const pollMs = { woken: 2_000, unwoken: 500 };
/** How long a notification of one's own may take to come back. */
const echoMs = 2_000;
const channel = "studio_runs";

/**
 * Straight to a Postgres. It is listened to for new runs; where that does not work, as behind a pooler that shares
 * connections between transactions, the queue is looked at more often.
 */
export async function openPostgresDoor(url: string, log: (line: string) => void): Promise<SqlDoor> {
  const sql = postgres(url, {
    max: mostConnections,
    // A pooler knows no prepared statements of other connections.
    prepare: false,
    connection: { application_name: "switchyard-worker" },
    onnotice: () => {},
  });
  const listeners: (() => void)[] = [];
  const isWoken = await listenTo(sql, () => {
    for (const listener of listeners) listener();
  });
  if (!isWoken) log("The database tells nothing of new runs (no LISTEN): the worker looks for them twice a second.");
  return {
    pollMs: isWoken ? pollMs.woken : pollMs.unwoken,
    onWake: (listener) => void listeners.push(listener),
    async ask(statement, parameters) {
      try {
        return [...(await sql.unsafe<Record<string, unknown>[]>(workerStatements[statement], [...parameters]))];
      } catch (error) {
        throw asFailure(error);
      }
    },
    close: () => sql.end({ timeout: 5 }),
  };
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
    if (asFailure(error) instanceof StatementRefused) return false;
    throw error;
  }
}

/** Classes of SQLSTATE that say that the server is not there: connection, resources, operator's intervention. */
const passing = /^(08|53|57)/;

function asFailure(error: unknown): Error {
  if (!(error instanceof Error)) return new NoAnswer(String(error));
  const code: unknown = Reflect.get(error, "code");
  const isRefusal = error.name === "PostgresError" && typeof code === "string" && !passing.test(code);
  // A deadlock or a serialization failure undid the statement: it may be asked again.
  if (isRefusal && !code.startsWith("40")) return new StatementRefused(error.message, code);
  return new NoAnswer(error.message);
}
