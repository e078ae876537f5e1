import type { Socket } from "node:net";
import postgres from "postgres";
import { canonicalAddress } from "../_shared/address-policy.ts";
import { openSocket, type SocketTarget } from "../_shared/open-socket.ts";
import { valueTypes } from "./bound-value.ts";
import { checkedSocket } from "./checked-socket.ts";

/** Whom the session is for. */
interface SessionSettings {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  /** Of a server that many databases share. */
  endpoint?: string | undefined;
  connectSeconds: number;
}

/** One connection to a Postgres that is opened at its first statement and never opened again. */
export interface PostgresSession {
  sql: postgres.Sql;
  /** Whether it was connected and still is. */
  isOpen(): boolean;
  /** Whether it goes to one of these addresses. */
  leadsTo(addresses: readonly string[]): boolean;
  /** Bytes that the server has sent. */
  received(): number;
  /** Milliseconds since 1970. */
  openedAt: number;
  /** Ends it in order, or, with `now`, whatever it does. Never rejects. */
  close(now: boolean): Promise<void>;
}

/** A session whose socket goes to a checked target and is checked itself. Connects later; see `PostgresSession`. */
export function openSession(settings: SessionSettings, target: SocketTarget): PostgresSession {
  const { endpoint, password, connectSeconds, ...identity } = settings;
  const stopped = new AbortController();
  let opened = false;
  let socket: Socket | undefined;
  const options = {
    ...identity,
    // The driver connects by this alone, and only once: a broken connection is not opened again.
    socket: async () => {
      if (opened) throw new Error("The connection closed.");
      opened = true;
      socket = await openSocket(target, stopped.signal);
      return checkedSocket(socket, target.tls);
    },
    // As a function, so that an empty one is not looked for in the environment.
    password: () => password,
    ssl: false,
    max: 1,
    prepare: false,
    fetch_types: false,
    idle_timeout: 0,
    max_lifetime: 0,
    connect_timeout: connectSeconds,
    keep_alive: 0,
    backoff: () => 0,
    debug: false,
    types: valueTypes,
    onnotice: () => undefined,
    connection: {
      application_name: "switchyard",
      ...(endpoint === undefined ? {} : { options: `endpoint=${endpoint}` }),
    },
  };
  const sql = postgres(options);
  return {
    sql,
    isOpen: () => socket?.readyState === "open",
    leadsTo: (addresses) => {
      const reached = canonicalAddress(socket?.remoteAddress ?? "");
      return addresses.some((address) => canonicalAddress(address) === reached);
    },
    received: () => socket?.bytesRead ?? 0,
    openedAt: Date.now(),
    async close(now) {
      if (now) stopped.abort();
      await sql.end({ timeout: now ? 0 : 1 }).catch(() => undefined);
      stopped.abort();
    },
  };
}
