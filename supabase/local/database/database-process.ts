import type { PgliteConnection } from "@supabase/lite/pglite";
import { openDatabase } from "./database.ts";
import {
  brokenExitCode,
  type ApiRequest,
  type DatabaseOrder,
  type DatabaseReport,
  type DatabaseSettings,
  type Outcome,
} from "./database-messages.ts";
import { loadPostgresEngine, type PostgresEngine } from "./postgres-engine.ts";
import { errorText, StartError } from "../start-error.ts";
import { startSupabaseApi, type SupabaseApi } from "../rest/supabase-api.ts";

/** The database and the API on it, once they are open. */
interface Opened {
  connection: PgliteConnection;
  api: SupabaseApi;
}

let opened: Opened | undefined;

/** Begun while the studio still prepares its order. Held until it is used, since it is large. */
let engine: Promise<PostgresEngine> | undefined = loadPostgresEngine();
// Told when the database is opened.
engine.catch(() => undefined);

process.on("message", (order: DatabaseOrder) => void obey(order));
// However the studio ended, the database is not left alone. What was committed is on the disk.
process.once("disconnect", () => process.exit(0));
// Ctrl-C is for the studio to handle, in order.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);

async function obey(order: DatabaseOrder): Promise<void> {
  switch (order.kind) {
    case "open":
      return open(order.settings);
    case "close":
      await opened?.connection.close().catch(() => undefined);
      return process.exit(0);
    case "request":
      return report({ kind: "outcome", id: order.id, outcome: await settled(order.id, answer(order.request)) });
    case "statement":
      return report({
        kind: "outcome",
        id: order.id,
        outcome: await settled(order.id, run(order.sql, order.parameters)),
      });
    default:
      return order satisfies never;
  }
}

function report(message: DatabaseReport): void {
  // Nobody listens any more: as with `disconnect`.
  process.send?.(message, undefined, undefined, (error) => error && process.exit(0));
}

async function open(settings: DatabaseSettings): Promise<void> {
  try {
    const opening = openDatabase(settings.database, engine);
    engine = undefined;
    const connection = await opening;
    exitWhenBroken(connection);
    const api = await startSupabaseApi(connection, settings);
    opened = { connection, api };
    report({ kind: "ready" });
  } catch (error) {
    const hint = error instanceof StartError ? error.hint : undefined;
    const stack = error instanceof Error ? error.stack : undefined;
    report({ kind: "not-opened", message: errorText(error), hint, stack });
  }
}

/**
 * PGlite ignores exceptions that are not Postgres's own, such as a stack overflow of the engine that runs it, and goes on with
 * a Postgres that answers nonsense. Here the process ends at once, before anybody gets an answer.
 */
function exitWhenBroken({ driver }: PgliteConnection): void {
  const module: unknown = driver.Module;
  for (const name of ["_PostgresMainLoopOnce", "_PostgresMainLongJmp", "_PostgresSendReadyForQueryIfNecessary"]) {
    const step: unknown = typeof module === "object" && module !== null ? Reflect.get(module, name) : undefined;
    if (typeof module !== "object" || module === null || typeof step !== "function") {
      throw new Error("This version of PGlite runs its statements in another way: review how it is watched.");
    }
    Reflect.set(module, name, () => {
      try {
        Reflect.apply(step, undefined, []);
      } catch (error) {
        if (!isJumpOfPostgres(error)) process.exit(brokenExitCode);
        throw error;
      }
    });
  }
}

/** Postgres leaves a failed statement by a jump, which arrives as an exit with a status that PGlite has set aside for it. */
function isJumpOfPostgres(error: unknown): boolean {
  return typeof error === "object" && error !== null && "status" in error && error.status === 100;
}

async function settled(id: number, work: Promise<Outcome>): Promise<Outcome> {
  try {
    return await work;
  } catch (error) {
    return { kind: "failed", message: `${errorText(error)} (work ${id})` };
  }
}

function running(): Opened {
  if (!opened) throw new Error("The database is not open.");
  return opened;
}

async function answer({ method, url, headers, body }: ApiRequest): Promise<Outcome> {
  const { api, connection } = running();
  const response = await api(new Request(url, { method, headers, ...(body ? { body: Buffer.from(body) } : {}) }));
  const text = response.body === null ? null : await response.text();
  if (connection.driver.isInTransaction()) await connection.driver.exec("rollback");
  return { kind: "answer", answer: { status: response.status, headers: [...response.headers], body: text } };
}

async function run(sql: string, parameters: readonly unknown[]): Promise<Outcome> {
  const { driver } = running().connection;
  try {
    const results =
      parameters.length > 0
        ? [await driver.query<Record<string, unknown>>(sql, [...parameters])]
        : await driver.exec(sql);
    const last = results.at(-1);
    const { rows = [], affectedRows = 0 } = last ?? {};
    return { kind: "rows", rows, affectedRows, inTransaction: driver.isInTransaction() };
  } catch (error) {
    const code = textOf(error, "code") ?? "XX000";
    const detail = textOf(error, "detail");
    return { kind: "refused", message: errorText(error), code, detail, inTransaction: driver.isInTransaction() };
  }
}

function textOf(error: unknown, name: string): string | undefined {
  const value: unknown = typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
  return typeof value === "string" ? value : undefined;
}
