import { setTimeout as sleep } from "node:timers/promises";
import { prepareAnswers, type SupabaseApi } from "../../rest/api-answers.ts";
import type { DatabaseService } from "../database-service.ts";
import type { InstanceKeys } from "../keys.ts";
import { withoutConsole } from "../../quiet-console.ts";
import { errorText, StartError } from "../../start-error.ts";
import { checkServer } from "./check-server.ts";
import { keepSessions } from "./kept-sessions.ts";
import type { ServerAddress } from "./server-address.ts";
import { ServerConnection } from "./server-connection.ts";
import { createServerService } from "./server-service.ts";
import { openSession, type ServerSession } from "./server-session.ts";
import { inTurn, turnSession } from "./turn-session.ts";
import { type KeyMarks, noteKeys, readKeyMarks, refuseOtherKeys } from "./used-keys.ts";

/** A server that was reached and found fit, and nothing changed on it yet. */
export interface ReachedServer {
  address: ServerAddress;
  /** Which keys it is used with. */
  keyMarks: KeyMarks;
}

/** How long a server that is being started along with the studio is waited for. */
const startingMs = 10_000;
/** Whoever holds it brings a database up to date; others wait. */
const setUpLock = 7_423_005;

/** Connects to a server and checks it. Throws StartError with what its operator can do. */
export async function reachServer(address: ServerAddress, log: (line: string) => void): Promise<ReachedServer> {
  const session = await connectAtStart(address, log);
  try {
    for (const note of await checkServer(session, address)) log(note);
    return { address, keyMarks: await readKeyMarks(session) };
  } finally {
    session.close();
  }
}

interface ServerOptions {
  migrations: string;
  siteUrl: string;
  keys: InstanceKeys;
  /** Where the keys are, for errors. */
  keysPath: string;
  deadlineMs: number;
  log: (line: string) => void;
}

/**
 * Brings the database of a server up to date, one studio at a time, and serves it. Throws StartError when that fails, or when the
 * database is used with other keys.
 */
export async function openServer({ address }: ReachedServer, options: ServerOptions): Promise<DatabaseService> {
  const { log, deadlineMs } = options;
  const answer = await bringUpToDate(address, options);
  const sessions = keepSessions(() => openSession(address.url, { deadlineMs }), log);
  return createServerService(sessions, answer);
}

/** Migrates a database under its lock, up to `until` where that is given, notes the keys, and gives the API on it. */
export async function bringUpToDate(
  address: ServerAddress,
  { migrations, siteUrl, keys, keysPath, until }: Omit<ServerOptions, "log" | "deadlineMs"> & { until?: string },
): Promise<SupabaseApi> {
  const words = { name: "The database", instead: "name another one with --database" };
  const [lock, session] = await Promise.all([open(address), open(address)]);
  try {
    // In a transaction, so that it holds behind a pooler as well.
    await lock.exec(
      `begin; set local idle_in_transaction_session_timeout = 0; select pg_advisory_xact_lock(${setUpLock})`,
    );
    return await inTurn(session, async () => {
      refuseOtherKeys(await readKeyMarks(session), keys, address, keysPath);
      const connection = new ServerConnection();
      const answer = await prepareAnswers(
        connection,
        turnSession,
        { keys, siteUrl, migrations, ...(until && { until }) },
        words,
      );
      await noteKeys(session, keys);
      // Before somebody waits for it.
      await withoutConsole(() => connection.introspect({ useCache: true }));
      return answer;
    });
  } finally {
    lock.close();
    session.close();
  }
}

/** Without a deadline: a migration of large data takes its time. */
function open(address: ServerAddress, name?: string): Promise<ServerSession> {
  return openSession(address.url, { deadlineMs: 0, ...(name && { name }) }).catch((error: unknown) => {
    throw cannotConnect(address, error);
  });
}

/** Connects to a server for a command of its operator. Throws StartError with what can be done. */
export function openForCommand(address: ServerAddress): Promise<ServerSession> {
  return open(address, "switchyard data");
}

async function connectAtStart(address: ServerAddress, log: (line: string) => void): Promise<ServerSession> {
  const until = Date.now() + startingMs;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await openSession(address.url, { deadlineMs: 0 });
    } catch (error) {
      // Not listening yet, or starting.
      const isStarting = ["ECONNREFUSED", "57P03"].includes(codeOf(error));
      if (!isStarting || Date.now() > until) throw cannotConnect(address, error);
      if (isFirst) log(`Waiting for the database server (${address.shown}) …`);
      await sleep(500);
    }
  }
}

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" ? code : "";
}

const untrusted =
  "Its certificate is not trusted: name the file of its authority in NODE_EXTRA_CA_CERTS, and the server as its certificate does.";

/** What to do about a connection that failed, by how its code of Postgres or of the network begins. */
const hints: Record<string, string> = {
  "28": "Check user, password and the server's pg_hba.conf. Letters such as @ and / in a password are percent-encoded in an address.",
  "3D000": "Make the database first: createdb, or create database … as the administrator of the server.",
  "53300": "The server has no connection left: each studio takes up to ten. Raise its max_connections.",
  ENOTFOUND: "There is no machine of that name; check the address.",
  EAI_AGAIN: "There is no machine of that name, or names cannot be looked up at the moment; check the address.",
  // Of Node, about certificates.
  DEPTH_ZERO: untrusted,
  SELF_SIGNED: untrusted,
  UNABLE_TO: untrusted,
  CERT_: untrusted,
  ERR_TLS: untrusted,
  "": "Check that the server runs, that its address is right, and that it listens to this machine (listen_addresses, pg_hba.conf, firewalls).",
};

function cannotConnect({ shown }: ServerAddress, error: unknown): StartError {
  const code = codeOf(error);
  const [, hint = ""] = Object.entries(hints).find(([begin]) => code.startsWith(begin)) ?? [];
  return new StartError(`The database ${shown} cannot be opened: ${errorText(error)}.`, hint, error);
}
