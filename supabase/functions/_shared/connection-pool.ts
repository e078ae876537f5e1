import type { Client } from "undici";

/** A connection without a request, and the checked addresses of which it reached one. */
export interface IdleConnection {
  client: Client;
  addresses: readonly string[];
}

/** The connections of one user with one credential: no other call gets them. */
export interface OwnConnections {
  /** An open connection to `origin`, which is the caller's from now on. */
  take(origin: string): IdleConnection | undefined;
  /** Keeps a connection whose answer was read to its end, for the next call, until the server or its timeout closes it. */
  keep(origin: string, connection: IdleConnection): void;
}

/**
 * Connections that stay open between calls: without them each model call of a run would look up the name, connect and agree
 * on TLS again, which takes longer than the studio's whole part.
 */
export interface ConnectionPool {
  of(userId: string, credentialId: string | null): OwnConnections;
}

/** Of one user, credential and origin: the calls that a run makes at once. */
const mostAlike = 6;
const mostOfAll = 64;

export function createConnectionPool(): ConnectionPool {
  /** The one that has been idle for the longest time first. */
  const idle = new Map<IdleConnection, string>();

  const discard = (connection: IdleConnection): void => {
    idle.delete(connection);
    void connection.client.destroy().catch(() => undefined);
  };

  return {
    of(userId, credentialId) {
      const keyOf = (origin: string): string => JSON.stringify([userId, credentialId, origin]);
      const alike = (key: string): IdleConnection[] => [...idle].flatMap(([one, its]) => (its === key ? [one] : []));
      return {
        take(origin) {
          const latest = alike(keyOf(origin)).at(-1);
          if (latest === undefined) return undefined;
          idle.delete(latest);
          latest.client.removeAllListeners("disconnect");
          return latest;
        },
        keep(origin, connection) {
          const key = keyOf(origin);
          const [longest] = idle.size >= mostOfAll ? idle.keys() : alike(key).slice(0, 1 - mostAlike);
          if (longest !== undefined) discard(longest);
          idle.set(connection, key);
          connection.client.once("disconnect", () => discard(connection));
        },
      };
    },
  };
}
