import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PostgresServer, startPostgresServer } from "../../functions/_shared/testing/postgres-server.ts";
import { readServerAddress } from "../database/postgres/server-address.ts";
import { makeTestKeys } from "../database/postgres/testing/test-keys.ts";
import { addVectors } from "../database/postgres/testing/vector-stand-in.ts";
import { signUp } from "../testing/clients.ts";
import { plant } from "../testing/sample-rows.ts";
import { startTestStack, type TestStack } from "../testing/start-stack.ts";
import { backUpEmbedded } from "./backup-embedded.ts";
import { describeFiles, writeManifest } from "./backup-manifest.ts";
import { backUpServer } from "./backup-server.ts";
import { connectionVariables, findProgram } from "./postgres-programs.ts";
import { restoreToServer } from "./restore-server.ts";

const migrations = fileURLToPath(new URL("../../migrations", import.meta.url));
const log = () => undefined;
const switchedOff = "select tgname from pg_trigger where not tgisinternal and tgenabled = 'D'";
const ofThisMonth = `select from public.studio_run_events where tableoid::regclass::text
  = 'private.studio_run_events_' || to_char(now() at time zone 'utc', 'YYYY_MM')`;
let root: string;
let servers: PostgresServer[];
let stack: TestStack;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "switchyard-backup-server-"));
  servers = await Promise.all([startPostgresServer(), startPostgresServer(), startPostgresServer()]);
  for (const server of servers) await addVectors(server);
  stack = await startTestStack({ dataDir: join(root, "data"), databaseUrl: servers[0]?.url });
});

afterAll(async () => {
  await stack?.stop();
  for (const server of servers ?? []) await server.stop();
  await rm(root, { recursive: true, force: true });
});

test("a server's database is backed up by pg_dump while the studio runs, and restored into an empty one", async () => {
  const [first, second, third] = servers;
  if (!first || !second || !third) throw new Error("There are three servers.");
  const user = await signUp(stack);
  const id = crypto.randomUUID();
  await user.client.from("studio_workflows").insert({ id, name: "Kept — ö", document: { nodes: {} } });
  await plant(stack, "studio_run_events", user);
  await first.run(`create table public."Somebody's ""own""" (id serial primary key, workflow uuid);
    insert into public."Somebody's ""own""" (workflow) values ('${id}');
    create materialized view private.somebodys_view as select * from public."Somebody's ""own""";
    create foreign data wrapper somebodys; create server elsewhere foreign data wrapper somebodys;
    create foreign table public.somebodys_rows (id integer) server elsewhere`);
  const bytes = join("files", user.userId, id);
  await mkdir(join(root, "data", "files", user.userId), { recursive: true });
  await writeFile(join(root, "data", bytes), "the bytes of a file");
  const folder = join(root, "backup");
  const address = readServerAddress(first.url);
  const manifest = await backUpServer({ address, dataDir: join(root, "data"), folder, withKeys: true });
  expect(manifest).toMatchObject({ kind: "postgres", withKeys: true });
  expect(manifest.leftOut.join()).not.toContain("bytes of files");
  expect(manifest.tables.filter(({ name }) => name.includes("omebody"))).toEqual([]);
  expect(JSON.stringify(manifest)).not.toContain(new URL(first.url).password);

  const options = { folder, keysFile: undefined, migrations, keysDirectory: join(root, "keys"), log };
  const damaged = join(root, "damaged");
  await cp(folder, damaged, { recursive: true });
  await writeFile(join(damaged, "database.dump"), "no dump");
  writeManifest(damaged, { ...manifest, files: await describeFiles(damaged) });
  const failing = restoreToServer(readServerAddress(second.url), { ...options, folder: damaged });
  await expect(failing).rejects.toThrow("pg_restore failed");
  expect(await second.run("select from private.studio_quotas")).not.toEqual([]);
  expect(await second.run("select from private.studio_pause")).toHaveLength(1);
  expect(await second.run(switchedOff)).toEqual([]);
  expect(existsSync(join(root, "keys", "keys.json"))).toBe(false);

  // What stands where the files of an account go.
  const inTheWay = join(root, "keys", "files", user.userId);
  await rm(inTheWay, { recursive: true, force: true });
  await mkdir(join(root, "keys", "files"), { recursive: true });
  await writeFile(inTheWay, "no folder");
  await expect(restoreToServer(readServerAddress(second.url), options)).rejects.toThrow(user.userId);
  expect(await second.run("select from auth.users")).toEqual([]);
  await rm(inTheWay);

  const restored = await restoreToServer(readServerAddress(second.url), options);
  expect(await second.run(switchedOff)).toEqual([]);
  expect(restored).toMatchObject({ opensCredentials: true, sessions: 1 });
  expect(await second.run("select name from public.studio_workflows order by 1")).toMatchObject([
    { name: "Kept — ö" },
    { name: "Sample" },
  ]);
  expect(await second.run(ofThisMonth)).toHaveLength(1);
  expect(await readFile(join(root, "keys", bytes), "utf8")).toBe("the bytes of a file");
  expect(await second.run("select from private.studio_pause")).toHaveLength(1);
  await expect(restoreToServer(readServerAddress(second.url), options)).rejects.toThrow("holds rows already");
  const other = await startTestStack({ dataDir: join(root, "keys"), databaseUrl: second.url });
  try {
    const signedIn = await fetch(`${other.url}/auth/v1/token?grant_type=password`, {
      method: "POST",
      headers: { apikey: other.key, "content-type": "application/json" },
      body: JSON.stringify({ email: user.email, password: user.password }),
    });
    expect(signedIn.status).toBe(200);
  } finally {
    await other.stop();
  }

  const embedded = await startTestStack({ dataDir: join(root, "embedded") });
  await signUp(embedded);
  await embedded.stop();
  const files = join(root, "files");
  await backUpEmbedded({ dataDir: join(root, "embedded"), folder: files, withKeys: true, running: null });
  await restoreToServer(readServerAddress(third.url), {
    ...options,
    folder: files,
    keysDirectory: join(root, "keys-2"),
  });
  expect(await third.run("select from auth.users")).toHaveLength(1);
});

test("a backup with another studio's keys, and a server that lets nobody in, are refused in words", async () => {
  const [first] = servers;
  if (!first) throw new Error("There are three servers.");
  const others = join(root, "others");
  await mkdir(others);
  await writeFile(join(others, "keys.json"), JSON.stringify(makeTestKeys()), { mode: 0o600 });
  const options = { folder: join(root, "refused"), withKeys: true };
  const address = readServerAddress(first.url);
  await expect(backUpServer({ ...options, address, dataDir: others })).rejects.toThrow(
    "was set up with the keys of another data directory",
  );
  const wrong = readServerAddress(first.urlOf("admin", "wrong"));
  await expect(backUpServer({ ...options, address: wrong, dataDir: join(root, "data") })).rejects.toMatchObject({
    message: expect.stringContaining("cannot be opened"),
    hint: expect.stringContaining("Check user, password"),
  });
  expect(existsSync(options.folder)).toBe(false);
});

test("programs that are missing or older than the server are named, with what to install", async () => {
  await expect(findProgram("pg_dump", 99)).rejects.toMatchObject({
    message: expect.stringContaining("is older than the server, which runs PostgreSQL 99"),
    hint: expect.stringContaining("postgresql-client-99"),
  });
  await expect(findProgram("pg_dump", 17, { POSTGRES_BIN_PATH: root })).rejects.toThrow(
    "pg_dump is not installed here",
  );
});

test("an address becomes libpq's variables, so that the password is in no list of processes", () => {
  expect(connectionVariables("postgres://a%40b:test-key-%2F@[::1]/one?sslmode=require")).toMatchObject({
    PGHOST: "::1",
    PGPORT: "5432",
    PGUSER: "a@b",
    PGPASSWORD: "test-key-/",
    PGDATABASE: "one",
    PGSSLMODE: "require",
  });
});
