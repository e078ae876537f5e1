import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type PostgresServer, startPostgresServer } from "../../supabase/functions/_shared/testing/postgres-server.ts";
import { openForCommand } from "../../supabase/local/database/postgres/open-server.ts";
import { readServerAddress } from "../../supabase/local/database/postgres/server-address.ts";
import { addVectors } from "../../supabase/local/database/postgres/testing/vector-stand-in.ts";
import { checkDatabase } from "./database-checks.ts";
import type { Finding } from "./finding.ts";

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgresServer({ locale: "C.UTF-8" });
});
afterAll(() => server.stop());
beforeEach(() =>
  server.run(`
    drop schema if exists auth, private, cron, supabase_migrations cascade;
    drop role if exists studio_worker, studio_functions, authenticated, service_role`),
);

async function check(): Promise<Finding[]> {
  const address = readServerAddress(server.url);
  const session = await openForCommand(address);
  try {
    return await checkDatabase(session, address, ["1", "2"]);
  } finally {
    session.close();
  }
}

const migrated = (...versions: string[]) =>
  server.run(`
    create schema if not exists supabase_migrations;
    create table if not exists supabase_migrations.schema_migrations (version text primary key);
    insert into supabase_migrations.schema_migrations values ${versions.map((version) => `('${version}')`).join(", ")}`);
const makeWorkers = () =>
  server.run(`
    create schema private;
    create table private.studio_workers (seen_at timestamptz); create table private.studio_pause (reason text)`);
const makeHosted = () => server.run("create schema auth; create table auth.schema_migrations (version text)");

test("a server of one's own is told what it lacks, and how far its database is", async () => {
  const [vectors] = await server.run("select 1 from pg_available_extensions where name = 'vector'");
  if (!vectors) {
    expect(await check()).toContainEqual({
      state: "missing",
      what: expect.stringContaining("lacks the extension pgvector"),
      how: expect.stringContaining("pgvector"),
    });
  }
  await addVectors(server);
  expect(await check()).toEqual([
    { state: "ok", what: "The server has what a studio needs." },
    { state: "note", what: "The database is new.", how: expect.stringContaining("when it starts") },
  ]);
  await migrated("1");
  expect(await check()).toContainEqual(expect.objectContaining({ what: "The database lacks 1 migration." }));
  await migrated("2");
  await makeWorkers();
  expect(await check()).toEqual([
    { state: "ok", what: "The server has what a studio needs." },
    { state: "ok", what: "The database is up to date." },
    expect.objectContaining({ state: "note", what: "No worker is at work." }),
    { state: "note", what: "Workers on other machines cannot connect.", how: expect.stringContaining("alter role") },
  ]);
  await server.run("create role studio_worker login; insert into private.studio_workers values (now()), (now())");
  expect((await check()).slice(2)).toEqual([
    { state: "ok", what: "2 workers at work." },
    { state: "ok", what: "Workers on other machines can connect." },
  ]);
  await server.run("insert into private.studio_pause values ('Restored.')");
  expect((await check()).at(-1)).toEqual({
    state: "note",
    what: "Published workflows are paused. Restored.",
    how: expect.stringContaining("npm run data -- resume"),
  });
  await migrated("3");
  expect(await check()).toContainEqual(expect.objectContaining({ what: expect.stringContaining("does not know") }));
});

test("a project's database is told which migrations it lacks, whether workers can come, and who clears deleted accounts", async () => {
  await makeHosted();
  const push = "npx supabase db push --linked";
  expect(await check()).toEqual([{ state: "missing", what: "The studio's tables are not there.", how: push }]);
  await migrated("1");
  expect(await check()).toEqual([{ state: "missing", what: "The project lacks 1 migration.", how: push }]);

  await migrated("2");
  await makeWorkers();
  const clears = expect.objectContaining({ state: "note", how: expect.stringContaining("cron.schedule") });
  expect(await check()).toEqual([
    { state: "ok", what: "All migrations are applied." },
    {
      state: "note",
      what: expect.stringContaining("No worker can connect"),
      how: expect.stringContaining("alter role"),
    },
    clears,
  ]);
  await server.run(`
    create role studio_worker login;
    create schema cron; create table cron.job (command text, active boolean)`);
  expect(await check()).toContainEqual(expect.objectContaining({ what: "No worker is at work." }));
  expect(await check()).toContainEqual(clears);
  await server.run("insert into cron.job values ('select private.studio_delete_accounts(5000)', true)");
  expect(await check()).toContainEqual({ state: "ok", what: "Deleted accounts are cleared by pg_cron." });
  await server.run("insert into private.studio_workers values (now())");
  expect(await check()).toEqual([
    { state: "ok", what: "All migrations are applied." },
    { state: "ok", what: "1 worker at work." },
  ]);
});

test("the role of functions beside workers is told what it lacks, and what it may do beyond its need", async () => {
  await makeHosted();
  await migrated("1", "2");
  await makeWorkers();
  await server.run(`
    insert into private.studio_workers values (now());
    create role authenticated; create role service_role bypassrls;
    create role studio_functions createdb; grant authenticated to studio_functions`);
  expect((await check()).slice(2)).toEqual([
    { state: "missing", what: expect.stringContaining("cannot connect"), how: expect.stringContaining("login") },
    {
      state: "missing",
      what: expect.stringContaining("may not become service_role,"),
      how: "grant service_role to studio_functions;",
    },
    { state: "note", what: expect.any(String), how: "alter role studio_functions nocreatedb noinherit;" },
  ]);
  await server.run(`
    alter role studio_functions login nocreatedb noinherit; grant service_role to studio_functions`);
  expect((await check()).slice(2)).toEqual([{ state: "ok", what: "Workers with functions of their own can connect." }]);
});
