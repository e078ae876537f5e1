import type { SupabaseApi } from "../../rest/api-answers.ts";
import { currentSender } from "../../http/current-sender.ts";
import {
  type DatabaseClient,
  type DatabaseTransaction,
  DatabaseUnavailable,
  type QueryResult,
  StatementError,
} from "../database-client.ts";
import { type DatabaseService, maxWaiting } from "../database-service.ts";
import { watchIdleness } from "../idle-transaction.ts";
import { createTurnQueue } from "../../http/turn-queue.ts";
import type { KeptSessions } from "./kept-sessions.ts";
import { RefusedStatement, type ServerSession } from "./server-session.ts";
import { inTurn } from "./turn-session.ts";

/** How many requests and clients are served at once, each with a connection; one sender never has them all. */
export const mostAtOnce = { all: 8, ofOne: 6 };

/** How long a server that is away keeps a request waiting before it is told to come again. */
const patienceMs = 1_500;
/** How long a request waits for its turn: longer than a statement may take. */
const waitMs = 10_000;
const idleTransactionMs = 5_000;

/** The database service on a PostgreSQL server: many requests and clients at once, each on a connection of its own. */
export function createServerService(sessions: KeptSessions, answer: SupabaseApi): DatabaseService {
  const queue = createTurnQueue(mostAtOnce);
  const requests = {};
  let stopped = false;

  const impatience = setInterval(() => {
    queue.drop("not-started", ({ owner, waitedMs }) => owner === requests && waitedMs >= waitMs);
  }, 250);

  async function withSession<Result>(task: (session: ServerSession) => Promise<Result>): Promise<Result> {
    const session = await sessions.take();
    try {
      return await inTurn(session, () => task(session));
    } finally {
      sessions.giveBack(session);
    }
  }

  function connect(): DatabaseClient {
    const client = {};
    let closed = false;
    let endTransaction: (() => void) | undefined;

    const turn = <Result>(task: (session: ServerSession) => Promise<Result>): Promise<Result> => {
      if (closed || stopped) return Promise.reject(new DatabaseUnavailable("closed"));
      return queue.take(client, async () => {
        await sessions.ready();
        return withSession(task);
      });
    };

    return {
      query: <Row>(sql: string, parameters: readonly unknown[] = []) =>
        turn((session) => rowsOf<Row>(session, sql, parameters)),
      transaction: (task) =>
        turn(async (session) => {
          let over = false;
          const idle = watchIdleness(idleTransactionMs);
          endTransaction = idle.expire;
          const transaction: DatabaseTransaction = {
            async query<Row>(sql: string, parameters: readonly unknown[] = []) {
              if (over) throw new DatabaseUnavailable("closed");
              return idle.whileWorking(() => rowsOf<Row>(session, sql, parameters));
            },
          };
          await rowsOf(session, "begin");
          try {
            const result = await Promise.race([idle.expired, task(transaction)]);
            over = true;
            await rowsOf(session, "commit");
            return result;
          } finally {
            // What is not committed now is rolled back at the end of the turn.
            over = true;
            await idle.settled();
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
      return sessions.state;
    },
    pid: undefined,
    async request({ method, url, headers, body }) {
      if (stopped) throw new DatabaseUnavailable("closed");
      const party = currentSender.getStore();
      const isFull = queue.length() >= maxWaiting.all || queue.length(party?.name ?? requests) >= maxWaiting.ofOne;
      if (isFull) throw new DatabaseUnavailable("not-started");
      await sessions.ready(patienceMs);
      const request = new Request(url, { method, headers, ...(body ? { body: Buffer.from(body) } : {}) });
      const task = () =>
        withSession(async (session) => {
          const before = session.tooLong;
          const response = await answer(request).catch((error: unknown) => {
            throw unavailability(session, before) ?? error;
          });
          // The library puts these into an answer of its own, which would not say that one may come again.
          const unavailable = unavailability(session, before);
          if (unavailable) throw unavailable;
          return {
            status: response.status,
            headers: [...response.headers],
            body: response.body === null ? null : await response.text(),
          };
        });
      return queue.take(requests, task, party?.name, party?.member);
    },
    connect,
    changes: () => null,
    work: queue.work,
    async stop() {
      stopped = true;
      clearInterval(impatience);
      queue.drop("closed", () => true);
      sessions.close();
    },
  };
}

function unavailability(session: ServerSession, tooLongBefore: number): DatabaseUnavailable | undefined {
  if (session.tooLong > tooLongBefore) return new DatabaseUnavailable("too-long");
  return session.isLost ? new DatabaseUnavailable("outcome-unknown") : undefined;
}

async function rowsOf<Row>(
  session: ServerSession,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<QueryResult<Row>> {
  const before = session.tooLong;
  try {
    const { rows, affectedRows = 0 } = await session.query<Row>(sql, [...parameters]);
    return { rows, affectedRows };
  } catch (error) {
    if (!(error instanceof RefusedStatement)) throw error;
    if (session.tooLong > before) throw new DatabaseUnavailable("too-long");
    const { message, code, detail } = error;
    throw new StatementError({ message, code, detail });
  }
}
