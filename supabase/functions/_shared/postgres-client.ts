import { decodeJwt } from "jose/jwt/decode";
import type postgres from "postgres";
import { loadOnce } from "../../../src/engine/load-once.ts";
import { type DirectFunction, readDirectFunctions } from "./database-functions.ts";
import type { FunctionEnvironment } from "./function-environment.ts";
import { type SupabaseClient, SupabaseError } from "./supabase-client.ts";
import { serviceSettings, settingsSql, textSql, userSettings } from "./transaction-settings.ts";

/** Each function is a process of its own, so this counts for each. */
const mostConnections = 4;
const idleSeconds = 30;
/** How long a statement may go unanswered. */
const answerMs = 15_000;

interface Operation {
  name: string;
  isRead: boolean;
}

/**
 * The same client straight to Postgres, for functions that stand beside a worker. Each call is one message and one transaction, with
 * the role and claims that the REST API would give it, so that it passes poolers and row level security holds. The role of
 * `databaseUrl` owns nothing: it may become `authenticated` and `service_role`.
 */
export function createPostgresClient(databaseUrl: string, environment: FunctionEnvironment): SupabaseClient {
  const load = loadOnce(async () => (await import("postgres")).default);
  let client: postgres.Sql | undefined;

  async function run(settings: Record<string, string>, sql: string, operation: Operation): Promise<unknown> {
    const connect = await load();
    const used = (client ??= open(connect, databaseUrl));
    try {
      const results = await inTime(used.unsafe(`${settingsSql(settings)}; ${sql}`).simple());
      return answerOf(results);
    } catch (error) {
      const failure = asSupabaseError(error, operation);
      // postgres.js may wait for ever once a connection has ended in the middle of something.
      if (failure.status === away && client === used) {
        client = undefined;
        void used.end({ timeout: 1 }).catch(() => undefined);
      }
      throw failure;
    }
  }

  const functions = loadOnce(() =>
    readDirectFunctions({
      async query<Row>(sql: string) {
        const rows = `select coalesce(json_agg(found), '[]')::text as answer from (${sql}) as found`;
        const found = await run(serviceSettings, rows, { name: "read the functions", isRead: true });
        return { rows: found as Row[] };
      },
    }),
  );

  async function callAsService(name: string, parameters: Record<string, unknown>, effect = "writes"): Promise<unknown> {
    const operation = { name: `call ${name}`, isRead: effect === "reads" };
    const called = (await functions()).get(name);
    const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
    if (!called || !given.every(([argument]) => called.arguments.has(argument))) {
      throw new SupabaseError(operation.name, 404, undefinedFunction);
    }
    return run(serviceSettings, statementOf(called, Object.fromEntries(given)), operation);
  }

  const asUser = (token: string, sql: string, operation: Operation): Promise<unknown> => {
    // Whoever calls has verified it.
    const claims = decodeJwt(token);
    return run(userSettings(claims.sub ?? "", claims), sql, operation);
  };

  const self: SupabaseClient = {
    selectAsUser: (token, table, columns, filters) =>
      asUser(token, gathered(`select ${list(columns)} from ${rowsOf(table, filters)}`), {
        name: `select ${table}`,
        isRead: true,
      }),
    updateAsUser: (token, table, columns, filters, values) => {
      const names = list(Object.keys(values).join(","));
      const row = `(select ${names} from ${recordOf(table, values)})`;
      const update = `update public.${identifier(table)} set (${names}) = ${row} ${where(table, filters)}`;
      return asUser(token, changed(`${update} returning ${list(columns)}`), { name: `update ${table}`, isRead: false });
    },
    deleteAsUser: (token, table, columns, filters) =>
      asUser(token, changed(`delete from ${rowsOf(table, filters)} returning ${list(columns)}`), {
        name: `delete ${table}`,
        isRead: false,
      }),
    callAsService,
    // There is no auth server here: tokens are verified by the keys that the functions were given.
    readUser: () => Promise.resolve(null),
    readSigningKeys: () => Promise.resolve(environment.publicKeys ?? { keys: [] }),
    openLiveAnswer: () => Promise.resolve(null),
    asParty: () => self,
  };
  return self;
}

const away = 503;
const undefinedFunction = "42883";

function open(connect: typeof postgres, url: string): postgres.Sql {
  return connect(url, {
    max: mostConnections,
    idle_timeout: idleSeconds,
    prepare: false,
    fetch_types: false,
    connection: { application_name: "switchyard-functions" },
    onnotice: () => {},
  });
}

async function inTime<Result>(answer: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("The database does not answer.")), answerMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

function statementOf(called: DirectFunction, given: Record<string, unknown>): string {
  return called.statement(Object.keys(given), textSql(JSON.stringify(given)));
}

/** The answer of the last of several statements, whose one row has it as JSON text. */
function answerOf(results: unknown): unknown {
  const last: unknown = Array.isArray(results) ? results.at(-1) : undefined;
  const row: unknown = Array.isArray(last) ? last[0] : undefined;
  const text: unknown = typeof row === "object" && row !== null ? Reflect.get(row, "answer") : null;
  return typeof text === "string" && text !== "" ? JSON.parse(text) : null;
}

function identifier(name: string): string {
  if (!/^[a-z_][a-z0-9_]*$/.test(name)) throw new Error("A name of a table or a column is not plain.");
  return `"${name}"`;
}

const list = (columns: string): string => columns.split(",").map(identifier).join(", ");
const rowsOf = (table: string, filters: Record<string, string>): string =>
  `public.${identifier(table)} ${where(table, filters)}`;

/** Equality is all that functions ask for; a value is read as its column's type. */
function where(table: string, filters: Record<string, string>): string {
  const wanted = Object.entries(filters).map(([column, filter]) => {
    if (!filter.startsWith("eq.")) throw new Error("A filter is no comparison for equality.");
    return [column, filter.slice("eq.".length)] as const;
  });
  if (wanted.length === 0) throw new Error("A statement has no filter.");
  const row = recordOf(table, Object.fromEntries(wanted));
  const conditions = wanted.map(([column]) => `${identifier(column)} = (select ${identifier(column)} from ${row})`);
  return `where ${conditions.join(" and ")}`;
}

/** Values as a row of a table, in SQL. */
const recordOf = (table: string, values: Record<string, unknown>): string =>
  `json_populate_record(null::public.${identifier(table)}, ${textSql(JSON.stringify(values))}::json)`;

const gathered = (sql: string): string =>
  `select coalesce(json_agg(found), '[]')::text as answer from (${sql}) as found`;
const changed = (sql: string): string =>
  `with found as (${sql}) select coalesce(json_agg(found), '[]')::text as answer from found`;

/** Classes of SQLSTATE that say that the server is not there: connection, resources, operator's intervention. */
const passing = /^(08|53|57P)/;
/** SQLSTATE of a role without the right. */
const forbidden = "42501";

function asSupabaseError(error: unknown, { name, isRead }: Operation): SupabaseError {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  if (!(error instanceof Error) || error.name !== "PostgresError" || typeof code !== "string") {
    return new SupabaseError(name, away, null, { isRead });
  }
  if (passing.test(code)) return new SupabaseError(name, away, code, { isRead });
  const isFull = error.message.includes("quota_exceeded ");
  return new SupabaseError(name, code === forbidden ? 403 : 400, code, { isRead, isFull });
}
