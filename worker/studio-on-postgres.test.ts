import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type PostgresServer, startPostgresServer } from "../supabase/functions/_shared/testing/postgres-server.ts";
import { loadKeys } from "../supabase/local/database/keys.ts";
import { addVectors } from "../supabase/local/database/postgres/testing/vector-stand-in.ts";
import { createTestClient, type SignedIn, signUp } from "../supabase/local/testing/clients.ts";
import { read, readMeanwhile, writeMeanwhile } from "../supabase/local/testing/faults.ts";
import { plant } from "../supabase/local/testing/sample-rows.ts";
import { startTestStack, type TestStack } from "../supabase/local/testing/start-stack.ts";
import { makeApiKey } from "../supabase/functions/doors/testing/api-keys.ts";
import { orderOf } from "./testing/step-servers.ts";
import { startWorkerWorld, type WorkerWorld } from "./testing/worker-world.ts";

const log: string[] = [];
let root: string;
let server: PostgresServer;
let world: WorkerWorld;
/** A second studio on the same database, with workers; the first has none. */
let other: TestStack;

async function isGone({ userId }: SignedIn): Promise<void> {
  const rows = () => world.stack.sql("select id from auth.users where id = $1", [userId]);
  await expect.poll(rows).toEqual([]);
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "switchyard-on-postgres-"));
  server = await startPostgresServer();
  await addVectors(server);
  const [first, second] = [join(root, "first"), join(root, "second")];
  for (const directory of [first, second]) await mkdir(directory);
  await loadKeys(join(first, "keys.json"), { mayCreate: true });
  await copyFile(join(first, "keys.json"), join(second, "keys.json"));
  // Both at once on an empty database: one brings it up to date, the other waits.
  [world, other] = await Promise.all([
    startWorkerWorld({ workers: 0, databaseUrl: server.url, dataDir: first, log: (line) => log.push(line) }),
    startTestStack({
      functions: true,
      workers: 1,
      databaseUrl: server.url,
      dataDir: second,
      statementDeadlineMs: 1_500,
      // Its runs call the same servers.
      allowHosts: "127.0.0.1",
      log: (line) => log.push(line),
    }),
  ]);
});

afterAll(async () => {
  await other?.stop();
  await world?.stop();
  await server?.stop();
  await rm(root, { recursive: true, force: true });
});

it("what one studio publishes, the worker of another one runs on the same database", async () => {
  await world.publish(world.stepAgent({ name: "shared", memory: true }));
  const id = await world.start("shared", { message: orderOf("pg", 2) });
  const row = await world.until(id, "completed");
  expect(row).toMatchObject({ attempt: 1, output: { value: { response: "pg is done" } } });
  expect(row["worker"]).toBe(other.workers.statuses()[0]?.id);
  expect((await world.events(id)).at(-1)).toMatchObject({ type: "run-end", outcome: "completed" });
  // Signed in at one, signed in at the other.
  const elsewhere = createTestClient(other);
  await elsewhere.auth.signInWithPassword({ email: world.user.email, password: world.user.password });
  const { data } = await elsewhere.from("studio_agent_memory").select("role");
  expect(data?.length).toBeGreaterThan(1);
  expect(await (await read(other, world.user)).json()).toHaveLength(1);
});

it("S91 what one studio opens is open at the other at once, and made-up keys share its looks", async () => {
  const models = async (key: string) => {
    const response = await fetch(`${other.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    await response.arrayBuffer();
    return response.status;
  };
  const madeUp = () => `sy_${`${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll("-", "A").slice(0, 43)}`;
  expect(await models(madeUp())).toBe(401);
  for (let count = 0; count < 5; count += 1) {
    const { id, key } = await makeApiKey(world.user, ["run:*"]);
    expect(await models(key)).toBe(200);
    await world.user.client.rpc("studio_revoke_api_key", { p_id: id });
    expect(await models(key)).toBe(401);
  }
  const before = other.database.work().turns;
  const refused = await Promise.all(Array.from({ length: 200 }, () => models(madeUp())));
  expect(new Set(refused)).toEqual(new Set([401]));
  // Its worker asks now and then.
  expect(other.database.work().turns - before).toBeLessThan(30);
});

it("S65 an account that is deleted at one studio is refused by the other within seconds, and gone", async () => {
  const user = await signUp(world.stack);
  await plant(world.stack, "studio_run_events", user);
  const elsewhere = createTestClient(other);
  await elsewhere.auth.signInWithPassword(user);
  expect((await elsewhere.from("studio_workflows").select("id")).data).toHaveLength(1);
  expect((await user.client.rpc("studio_delete_my_account")).error).toBeNull();
  await expect.poll(async () => (await elsewhere.from("studio_workflows").select("id")).error?.code).toBe("PGRST303");
  await isGone(user);
});

it("what a studio leaves of a deleted account, the worker of another one deletes", async () => {
  const user = await signUp(world.stack);
  await plant(world.stack, "studio_run_events", user);
  // As a studio that is killed right after.
  await server.run(`select private.studio_begin_deletion('${user.userId}')`);
  await isGone(user);
  expect(await world.stack.sql("select owner from public.studio_workflows where owner = $1", [user.userId])).toEqual(
    [],
  );
});

it("many requests are answered at once, and each keeps its role", async () => {
  const client = other.database.connect();
  const held = client.transaction(async (transaction) => {
    const answered = Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const token = index % 2 === 0 ? world.user.accessToken : undefined;
        const headers = { apikey: other.key, ...(token ? { authorization: `Bearer ${token}` } : {}) };
        return (await fetch(`${other.url}/rest/v1/studio_workflows?select=name`, { headers })).json();
      }),
    );
    // Open all the while, and never idle for so long that it is ended.
    while ((await Promise.race([answered, sleep(100)])) === undefined) await transaction.query("select 1");
    const answers = await answered;
    answers.forEach((answer, index) =>
      expect(answer).toMatchObject(index % 2 === 0 ? [{ name: "shared" }] : { code: "42501" }),
    );
  });
  await held;
  client.close();
});

it("S61 a statement over its deadline is ended, and keeps nobody else waiting", async () => {
  const attack = other.sql("select pg_sleep(60)");
  const others = readMeanwhile(other, world.user, attack);
  await expect(attack).rejects.toMatchObject({ reason: "too-long" });
  const { served, refused, wrong } = await others;
  expect({ refused, wrong }).toEqual({ refused: 0, wrong: [] });
  expect(served).toBeGreaterThan(1);
});

it("S61 connections that the server ends, again and again, cost nothing that was acknowledged", async () => {
  const rounds = (async () => {
    for (let round = 0; round < 40; round += 1) {
      await server.run("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'switchyard'");
      await sleep(25);
    }
  })();
  const [acknowledged, told] = await Promise.all([
    writeMeanwhile(world.user, rounds),
    readMeanwhile(world.stack, world.user, rounds),
  ]);
  expect(told.wrong).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(0);
  const rows = await world.stack.sql<{ name: string }>("select name from public.studio_workflows");
  const names = new Set(rows.map(({ name }) => name));
  expect(acknowledged.filter((name) => !names.has(name))).toEqual([]);
});

it("S61 while the server is away the studio says when to come again, and goes on by itself; so do runs", async () => {
  const id = await world.start("shared", { message: orderOf("away", 6) });
  await server.restart(async () => {
    await expect.poll(async () => (await read(world.stack, world.user)).status).toBe(503);
    const refused = await read(world.stack, world.user);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({
      code: "database_unavailable",
      hint: expect.stringContaining("again"),
    });
    const state = await (await fetch(`${world.stack.url}/.well-known/switchyard`)).json();
    expect(state).toMatchObject({ database: "restarting" });
  });
  await expect.poll(async () => (await read(world.stack, world.user)).status).toBe(200);
  expect(await world.until(id, "completed")).toMatchObject({ output: { value: { response: "away is done" } } });
  expect(log.join("\n")).toMatch(/The database server cannot be reached: .*\n(.*\n)*The database server is back after/);
});

it("a studio with other keys, or with none, is refused before it changes anything", async () => {
  const stranger = join(root, "stranger");
  const start = () => startTestStack({ databaseUrl: server.url, dataDir: stranger });
  await mkdir(stranger);
  await expect(start()).rejects.toMatchObject({
    message: expect.stringMatching(/set up with the keys of another data directory, and there is no .*keys\.json/),
    hint: expect.stringContaining("copy keys.json"),
  });
  await loadKeys(join(stranger, "keys.json"), { mayCreate: true });
  await expect(start()).rejects.toMatchObject({ message: expect.stringContaining("keys.json holds other keys") });
});

it("a database that a newer version has used is refused", async () => {
  await server.run("insert into supabase_migrations.schema_migrations (version, name) values ('9', 'of_tomorrow')");
  const third = join(root, "third");
  await mkdir(third);
  await copyFile(join(root, "first", "keys.json"), join(third, "keys.json"));
  await expect(startTestStack({ databaseUrl: server.url, dataDir: third })).rejects.toMatchObject({
    message: "The database was used by a newer version of Switchyard (its database has the migration 9).",
  });
  await server.run("delete from supabase_migrations.schema_migrations where version = '9'");
});
