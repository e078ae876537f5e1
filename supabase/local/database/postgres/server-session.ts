import { connect, type Socket } from "node:net";
import postgres from "postgres";
import { DatabaseUnavailable } from "../database-client.ts";
import type { SqlResult, SqlSession } from "../sql-session.ts";
import { columnTypes } from "./column-types.ts";

/** One connection to a PostgreSQL server. Its statements run one after the other; once it is lost, it stays lost. */
export interface ServerSession extends SqlSession {
  readonly isLost: boolean;
  /** How many statements were ended because they took too long. */
  readonly tooLong: number;
  isInTransaction(): boolean;
  /** Ends the connection; a statement that is under way for a second more is given up. */
  close(): void;
}

export interface SessionOptions {
  /** How long one statement may take; 0 for ever. */
  deadlineMs: number;
  /** What the server calls the connection. */
  name?: string;
}

/** Why Postgres refused a statement, as PGlite says it: the API library puts both into the same words. */
export class RefusedStatement extends Error {
  override readonly name = "error";
  readonly code: string;
  readonly detail: string | undefined;
  readonly hint: string | undefined;

  constructor(refusal: postgres.PostgresError) {
    super(refusal.message);
    this.code = refusal.code;
    this.detail = refusal.detail;
    this.hint = refusal.hint;
  }
}

const connectMs = 5_000;
/** A server ends a statement at its deadline; one that is not heard of for this long afterwards is gone. */
const silenceMs = 3_000;
/** A transaction that lost its studio ends by itself after this time. */
const idleTransactionMs = 60_000;
const canceled = "57014";
/** SQLSTATEs after which there is no connection any more: of the connection, too many of them, and of a server that stops. */
const lostStates = /^(08|53300|57P)/;

/**
 * Connects to a server. Rejects when that does not work within five seconds, with the error of the network or of Postgres.
 *
 * postgres.js connects again by itself, drops what it was about to write when a connection ends, and may then wait for ever or
 * throw where nobody catches it. So each of its clients gets one socket here, which is ours to end, and is thrown away with it.
 */
export async function openSession(
  url: string,
  { deadlineMs, name = "switchyard" }: SessionOptions,
): Promise<ServerSession> {
  let socket: Socket | undefined;
  let isLost = false;
  let tooLong = 0;
  let isOpen = false;
  let lose: (error: Error) => void = () => undefined;
  const lost = new Promise<never>((_resolve, reject) => {
    lose = (error) => {
      isLost = true;
      socket?.destroy();
      reject(error);
    };
  });
  lost.catch(() => undefined);

  const options = {
    max: 1,
    prepare: false,
    types: columnTypes,
    // What it asks by itself when a connection opens, it asks without anybody to hear of a failure.
    fetch_types: false,
    ...(saysHowToEncrypt(url) ? {} : { ssl: "prefer" as const }),
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: connectMs / 1_000,
    onnotice: () => undefined,
    onclose: () => lose(new DatabaseUnavailable("outcome-unknown")),
    connection: { application_name: name, TimeZone: "UTC" },
    // Not in the declaration of its options, but in its manual.
    socket: async (place: SocketPlace) => {
      if (socket) throw new DatabaseUnavailable("outcome-unknown");
      socket = await openSocket(place);
      return socket;
    },
  };
  const client = postgres(url, options);

  /** Runs a statement and settles whatever becomes of the connection. */
  async function ask<Result>(statement: Promise<Result>, withinMs: number): Promise<Result> {
    statement.catch(() => undefined);
    const late =
      withinMs > 0 ? setTimeout(() => lose(new DatabaseUnavailable("outcome-unknown")), withinMs) : undefined;
    try {
      return await Promise.race([statement, lost]);
    } finally {
      clearTimeout(late);
    }
  }

  try {
    const settings = `set statement_timeout = ${deadlineMs}; set idle_in_transaction_session_timeout = ${idleTransactionMs}`;
    await ask(client.unsafe(settings), connectMs);
  } catch (error) {
    lose(new DatabaseUnavailable("not-started"));
    throw error;
  }

  let last: Promise<unknown> = Promise.resolve();

  function run<Row>(sql: string, parameters: readonly unknown[]): Promise<SqlResult<Row>[]> {
    const result = last.then(() => runNow<Row>(sql, parameters));
    last = result.catch(() => undefined);
    return result;
  }

  async function runNow<Row>(sql: string, parameters: readonly unknown[]): Promise<SqlResult<Row>[]> {
    if (isLost) throw new DatabaseUnavailable("outcome-unknown");
    if (beginning.test(sql)) isOpen = true;
    // Type 0: Postgres says what each value is, as it does for the embedded database.
    const values = parameters.map((value) => client.typed(value === undefined ? null : value, 0));
    try {
      const answer = await ask(client.unsafe(sql, values as never[]), deadlineMs > 0 ? deadlineMs + silenceMs : 0);
      return resultsOf<Row>(answer);
    } catch (error) {
      throw failureOf(error);
    } finally {
      if (ending.test(sql)) isOpen = false;
    }
  }

  function failureOf(error: unknown): unknown {
    if (!(error instanceof postgres.PostgresError)) {
      // Of the network, or of the client, which may wait for something now: neither goes on.
      const unavailable = new DatabaseUnavailable("outcome-unknown");
      lose(unavailable);
      return isOfNetwork(error) ? unavailable : error;
    }
    if (lostStates.test(error.code)) lose(new DatabaseUnavailable("outcome-unknown"));
    if (error.code === canceled) tooLong += 1;
    return lostStates.test(error.code) ? new DatabaseUnavailable("outcome-unknown") : new RefusedStatement(error);
  }

  return {
    get isLost() {
      return isLost;
    },
    get tooLong() {
      return tooLong;
    },
    isInTransaction: () => isOpen,
    async query<Row>(sql: string, parameters: unknown[] = []) {
      const results = await run<Row>(sql, parameters);
      return results.at(-1) ?? { rows: [] };
    },
    exec: (sql) => run(sql, []),
    close() {
      if (isLost) return;
      isLost = true;
      void client.end({ timeout: 1 }).finally(() => socket?.destroy());
    },
  };
}

const beginning = /^\s*(begin|start\s+transaction)\b/i;
const ending = /^\s*(commit|end|abort|rollback(?!\s+(work\s+|transaction\s+)?to\b))\b/i;

function isOfNetwork(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" && /^(CONNECT|E[A-Z]+$)/.test(code);
}

/** One statement gives its rows, several give a list of them. */
function resultsOf<Row>(answer: unknown): SqlResult<Row>[] {
  const results = isRowList(answer) ? [answer] : Array.isArray(answer) ? answer.filter(isRowList) : [];
  return results.map((list) => {
    const changes = /^(INSERT|UPDATE|DELETE|MERGE)$/.test(list.command);
    return { rows: Array.from(list) as Row[], affectedRows: changes ? list.count : undefined };
  });
}

function isRowList(value: unknown): value is unknown[] & { command: string; count: number } {
  return Array.isArray(value) && "command" in value && typeof value.command === "string";
}

/** What postgres.js has read from the address. */
interface SocketPlace {
  host: string[];
  port: number[];
  path: string | false | undefined;
}

async function openSocket({ host, port, path }: SocketPlace): Promise<Socket> {
  const places = path ? [{ path }] : host.map((name, index) => ({ host: name, port: port[index] ?? port[0] ?? 5432 }));
  let failure: unknown;
  for (const place of places) {
    try {
      const socket = await connected(connect({ ...place, keepAlive: true, noDelay: true }));
      // By this name a certificate is checked.
      return Object.assign(socket, "host" in place ? { host: place.host } : {});
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function connected(socket: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      clearTimeout(late);
      socket.destroy();
      reject(error);
    };
    const late = setTimeout(
      () => fail(Object.assign(new Error("The server does not answer"), { code: "ETIMEDOUT" })),
      connectMs,
    );
    socket.once("error", fail);
    socket.once("connect", () => {
      clearTimeout(late);
      socket.off("error", fail);
      resolve(socket);
    });
  });
}

function saysHowToEncrypt(url: string): boolean {
  return /[?&](sslmode|ssl)=/.test(url) || process.env["PGSSL"] !== undefined;
}
