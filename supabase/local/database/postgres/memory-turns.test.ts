import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PostgresServer, startPostgresServer } from "../../../functions/_shared/testing/postgres-server.ts";
import { bringUpToDate } from "./open-server.ts";
import { readServerAddress } from "./server-address.ts";
import { makeTestKeys } from "./testing/test-keys.ts";
import { addVectors } from "./testing/vector-stand-in.ts";

const migrations = fileURLToPath(new URL("../../../migrations/", import.meta.url));

let server: PostgresServer;
let sql: postgres.Sql;
const owner = randomUUID();

beforeAll(async () => {
  server = await startPostgresServer();
  await addVectors(server);
  const keys = makeTestKeys();
  await bringUpToDate(readServerAddress(server.url), { migrations, siteUrl: "http://127.0.0.1", keys, keysPath: "" });
  sql = postgres(server.url, { max: 2, onnotice: () => undefined });
  await sql`insert into auth.users (id) values (${owner})`;
});

afterAll(async () => {
  await sql?.end({ timeout: 1 });
  await server?.stop();
});

/** Statements of the owner, with row level security, in one transaction. */
function asOwner<Result>(task: (transaction: postgres.TransactionSql) => Promise<Result>) {
  return sql.begin(async (transaction) => {
    await transaction`select set_config('request.jwt.claim.sub', ${owner}, true)`;
    await transaction.unsafe("set local role authenticated");
    return task(transaction);
  });
}

/** Waits until somebody waits for a lock. */
async function untilBlocked(): Promise<void> {
  for (;;) {
    const [row] = await server.run("select count(*)::integer as count from pg_locks where not granted");
    if (Number(row?.["count"]) > 0) return;
  }
}

/** Contents of a conversation in its order. */
async function conversation(session: string): Promise<string[]> {
  const rows = await sql<{ content: string }[]>`
    select content from public.studio_agent_memory where session_id = ${session} order by id`;
  return rows.map(({ content }) => content);
}

const message = (content: string) => ({ role: "user", content, message: { role: "user", text: content } });

test("turns that are appended at the same moment do not mix, whether their messages come one by one or together", async () => {
  const append = (name: string, session: string) =>
    asOwner(
      (transaction) =>
        transaction`select public.studio_append_memory(null, ${session}, 'model',
          ${transaction.json([message(`${name} 1`), message(`${name} 2`), message(`${name} 3`)])})`,
    );
  await Promise.all(Array.from({ length: 20 }, (_, turn) => append(String(turn), "by function")));
  const names = (await conversation("by function")).map((content) => content.split(" ")[0]);
  expect(names).toHaveLength(60);
  for (let first = 0; first < names.length; first += 3) expect(new Set(names.slice(first, first + 3)).size).toBe(1);

  // The first turn is in the middle when the second one begins.
  const insert = (transaction: postgres.TransactionSql, content: string) =>
    transaction`insert into public.studio_agent_memory (session_id, role, content, message)
      values ('by rows', 'user', ${content}, '{}')`;
  const second = asOwner(async (transaction) => {
    await insert(transaction, "first 1");
    const other = server.run(`
      begin;
      select set_config('request.jwt.claim.sub', '${owner}', true);
      set local role authenticated;
      insert into public.studio_agent_memory (session_id, role, content, message)
        values ('by rows', 'user', 'second 1', '{}'), ('by rows', 'user', 'second 2', '{}');
      commit`);
    await untilBlocked();
    await insert(transaction, "first 2");
    return { other };
  });
  await (
    await second
  ).other;
  expect(await conversation("by rows")).toEqual(["first 1", "first 2", "second 1", "second 2"]);
});
