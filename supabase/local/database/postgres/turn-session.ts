import { AsyncLocalStorage } from "node:async_hooks";
import type { SqlSession } from "../sql-session.ts";
import type { ServerSession } from "./server-session.ts";

const current = new AsyncLocalStorage<SqlSession>();

/**
 * Runs a task with a session of its own: all statements of `turnSession` go there while it runs, however deep in the API
 * library they are. What comes after its end is refused, and what it left open is rolled back.
 */
export async function inTurn<Result>(session: ServerSession, task: () => Promise<Result>): Promise<Result> {
  let isOver = false;
  const during = <Answer>(ask: () => Promise<Answer>): Promise<Answer> =>
    isOver ? Promise.reject(new Error("This statement came after the end of its request.")) : ask();
  const own: SqlSession = {
    query: (sql, parameters) => during(() => session.query(sql, parameters)),
    exec: (sql) => during(() => session.exec(sql)),
  };
  try {
    return await current.run(own, task);
  } finally {
    isOver = true;
    if (session.isInTransaction() && !session.isLost) await session.exec("rollback").catch(() => session.close());
  }
}

/** The session of the turn that the caller runs in. */
export const turnSession: SqlSession = {
  query: (sql, parameters) => session().query(sql, parameters),
  exec: (sql) => session().exec(sql),
};

function session(): SqlSession {
  const found = current.getStore();
  if (!found) throw new Error("A statement was sent outside of a turn.");
  return found;
}
