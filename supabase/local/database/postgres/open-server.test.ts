import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PostgresServer, startPostgresServer } from "../../../functions/_shared/testing/postgres-server.ts";
import { createSelfSignedCertificate } from "../../../functions/_shared/testing/self-signed-certificate.ts";
import { tableWithRows } from "../moving/tables.ts";
import { keepSessions } from "./kept-sessions.ts";
import { bringUpToDate, reachServer } from "./open-server.ts";
import { readServerAddress } from "./server-address.ts";
import { openSession } from "./server-session.ts";
import { makeTestKeys } from "./testing/test-keys.ts";
import { addVectors } from "./testing/vector-stand-in.ts";

const migrations = fileURLToPath(new URL("../../../migrations/", import.meta.url));
const password = "test-key-studio-role-0123456789";
const keys = makeTestKeys();
let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgresServer();
});
afterAll(() => server.stop());

const reach = (url: string, log: string[] = []) => reachServer(readServerAddress(url), (line) => void log.push(line));

test.each([
  ["db.sqlite", "does not begin with postgres://"],
  ["postgres://localhost", "names no database"],
  ["postgres://a:b@[nowhere/x", "cannot be read"],
])("%s is refused as an address, with one as an example", (text, words) => {
  expect(() => readServerAddress(text)).toThrow(
    expect.objectContaining({
      message: expect.stringContaining(words),
      hint: expect.stringContaining("postgres://user:password@host:5432/database"),
    }),
  );
});

test("an address is shown without its password", () => {
  expect(readServerAddress("postgres://me:secret@db.example:6000/studio?sslmode=require").shown).toBe(
    "me@db.example:6000/studio",
  );
});

test.each([
  [() => server.urlOf("admin", "wrong"), "password authentication failed", "Check user, password"],
  [() => server.url.replace(/postgres$/, "nowhere"), 'database "nowhere" does not exist', "Make the database first"],
  [() => "postgres://a:b@nowhere.invalid/studio", "nowhere.invalid", "no machine of that name"],
])("a server that lets nobody in is told with what to do (%#)", async (url, words, hint) => {
  await expect(reach(url())).rejects.toMatchObject({
    name: "StartError",
    message: expect.stringContaining(words),
    hint: expect.stringContaining(hint),
  });
});

test("what a server lacks is told before anything is changed, as statements for its administrator, and with them it works", async () => {
  const [found] = await server.run("select 1 from pg_available_extensions where name = 'vector'");
  if (!found) {
    await expect(reach(server.url)).rejects.toMatchObject({
      message: expect.stringContaining("lacks the extension pgvector"),
      hint: expect.stringMatching(/postgresql-\d+-pgvector/),
    });
  }
  await addVectors(server);
  await server.run(`create role studio login password '${password}'`);
  const url = server.urlOf("studio", password);
  const refusal: unknown = await reach(url).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ message: expect.stringContaining("The role studio may not set up this database") });
  const { hint } = refusal as { hint: string };
  const statements = hint.split("\n").filter((line) => line.endsWith(";"));
  expect(statements).toEqual(
    expect.arrayContaining([
      "  create role service_role nologin noinherit bypassrls;",
      '  grant anon, authenticated, service_role to "studio";',
      '  alter database "postgres" owner to "studio";',
    ]),
  );
  expect(await server.run("select rolname from pg_roles where rolname = 'anon'")).toHaveLength(0);

  await server.run(statements.join("\n"));
  const log: string[] = [];
  const { address, keyMarks } = await reach(url, log);
  expect(keyMarks.size).toBe(0);
  expect(log.join("\n")).toContain("knows no letters beyond ASCII");
  const answer = await bringUpToDate(address, { migrations, siteUrl: "http://127.0.0.1", keys, keysPath: "keys.json" });
  expect(answer).toBeTypeOf("function");
  const session = await openSession(url, { deadlineMs: 5_000 });
  // What the migrations and each start fill by themselves, a copy of other data replaces; not what somebody accepted.
  await session.exec("select public.studio_open_prices(true)");
  expect(await tableWithRows(session)).toBeUndefined();
  await session.exec(`begin; select public.studio_accept_prices('{}', '')`);
  expect(await tableWithRows(session)).toBe("private.studio_prices");
  await session.exec("rollback");
  session.close();
  expect((await reach(url)).keyMarks.size).toBe(3);
  const owners = await server.run("select distinct tableowner::text from pg_tables where schemaname = 'public'");
  expect(owners).toEqual([{ tableowner: "studio" }]);
});

test("values come back as from the embedded database", async () => {
  const session = await openSession(server.url, { deadlineMs: 5_000 });
  try {
    const { rows } = await session.query(
      `select 1::int8 as small, 9007199254740993::int8 as large, 1.50::numeric as exact, 2.5::numeric as plain, true as yes,
         '2026-01-02 03:04:05.678+00'::timestamptz as at, '2026-01-02'::date as day, $1::jsonb as document,
         $2::text[] as words, $3::integer[] as numbers, null as nothing, '\\x00ff'::bytea as bytes, $4::jsonb as text`,
      [{ a: [1] }, ["a", 'b,"c"', null], [1, 2], '{"b": 2}'],
    );
    expect(rows).toEqual([
      {
        small: 1,
        large: 9007199254740993n,
        exact: "1.50",
        plain: 2.5,
        yes: true,
        at: "2026-01-02T03:04:05.678+00:00",
        day: "2026-01-02",
        document: { a: [1] },
        words: ["a", 'b,"c"', null],
        numbers: [1, 2],
        nothing: null,
        bytes: new Uint8Array([0, 255]),
        text: { b: 2 },
      },
    ]);
  } finally {
    session.close();
  }
});

test("a connection that is lost says so at once, and stays lost", async () => {
  const session = await openSession(server.url, { deadlineMs: 5_000 });
  const sleeping = session.query("select pg_sleep(60)");
  const next = session.query("select 1");
  const both = Promise.allSettled([sleeping, next]);
  await expect
    .poll(() => server.run("select 1 from pg_stat_activity where query like 'select pg_sleep%' and state = 'active'"))
    .toHaveLength(1);
  await server.run("select pg_terminate_backend(pid) from pg_stat_activity where query like 'select pg_sleep%'");
  const lost = expect.objectContaining({
    status: "rejected",
    reason: expect.objectContaining({ reason: "outcome-unknown" }),
  });
  expect(await both).toEqual([lost, lost]);
  expect(session.isLost).toBe(true);
});

test("a server without a connection left is no server that is away: those that it has given go on", async () => {
  await server.run(`create role few login connection limit 2 password '${password}'`);
  const log: string[] = [];
  const url = server.urlOf("few", password);
  const sessions = keepSessions(
    () => openSession(url, { deadlineMs: 5_000 }),
    (line) => void log.push(line),
  );
  const [first] = [await sessions.take(), await sessions.take()];
  await expect(sessions.take()).rejects.toMatchObject({ reason: "not-started" });
  expect(sessions.state).toBe("ready");
  sessions.giveBack(first);
  expect(await sessions.take()).toBe(first);
  expect(log).toEqual([]);
  sessions.close();
  expect(sessions.state).toBe("stopped");
});

test("connections are encrypted where the server offers it, and its certificate is checked on demand", async () => {
  const secure = await startPostgresServer({ tls: createSelfSignedCertificate("db.example.test") });
  try {
    const session = await openSession(secure.url, { deadlineMs: 5_000 });
    const { rows } = await session.query("select ssl from pg_stat_ssl where pid = pg_backend_pid()");
    expect(rows).toEqual([{ ssl: true }]);
    await expect(session.query("select pg_terminate_backend(pg_backend_pid())")).rejects.toMatchObject({
      reason: "outcome-unknown",
    });
    expect(session.isLost).toBe(true);
    await expect(reach(`${secure.url}?sslmode=verify-full`)).rejects.toMatchObject({
      message: expect.stringContaining("self-signed certificate"),
      hint: expect.stringContaining("NODE_EXTRA_CA_CERTS"),
    });
  } finally {
    await secure.stop();
  }
});
