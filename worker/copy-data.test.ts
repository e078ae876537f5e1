import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type PostgresServer, startPostgresServer } from "../supabase/functions/_shared/testing/postgres-server.ts";
import { loadKeys } from "../supabase/local/database/keys.ts";
import { copyData } from "../supabase/local/database/moving/copy-data.ts";
import { addVectors } from "../supabase/local/database/postgres/testing/vector-stand-in.ts";
import { createTestClient } from "../supabase/local/testing/clients.ts";
import { plant, sampleOf } from "../supabase/local/testing/sample-rows.ts";
import { startTestStack, type TestStack } from "../supabase/local/testing/start-stack.ts";
import { orderOf } from "./testing/step-servers.ts";
import { startWorkerWorld, type WorkerWorld } from "./testing/worker-world.ts";

const projectRoot = fileURLToPath(new URL("..", import.meta.url));
const migrations = join(projectRoot, "supabase", "migrations");
let root: string;
let server: PostgresServer;
let world: WorkerWorld;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "switchyard-copy-"));
  [server, world] = await Promise.all([startPostgresServer(), startWorkerWorld({ dataDir: join(root, "embedded") })]);
  await addVectors(server);
});

afterAll(async () => {
  await world?.stop();
  await server?.stop();
  await rm(root, { recursive: true, force: true });
});

/** `npm run data -- copy …` */
async function copy(...args: string[]) {
  const child = spawn(process.execPath, ["cli/data.mjs", "copy", ...args], { cwd: projectRoot });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => (output += data.toString()));
  const [code]: unknown[] = await once(child, "close");
  return { code, output };
}

const copyQuietly = (from: string, to: string, keysDirectory: string | undefined) =>
  copyData({ from, to, keysDirectory, migrations, log: () => {} });

/** Signs in with the password of before, and runs the workflow that was published before, with its stored key. */
async function worksAsBefore(stack: TestStack, run: string): Promise<void> {
  const { email, password } = world.user;
  const client = createTestClient(stack);
  expect((await client.auth.signInWithPassword({ email, password })).error).toBeNull();
  const { data } = await client.rpc("studio_start_run", {
    p_workflow: "moved",
    p_target: "live",
    p_input: { message: orderOf(run, 1) },
  });
  const row = await world.eventually(async () => {
    const [found] = await stack.sql<Record<string, unknown>>("select * from public.studio_runs where id = $1", [
      data.id,
    ]);
    return ["completed", "failed"].includes(String(found?.["status"])) ? found : undefined;
  });
  expect(row).toMatchObject({ status: "completed", output: { value: { response: `${run} is done` } } });
}

it("everything goes to a server and back: accounts, every table, files, sealed keys, and the numbers of what comes next", async () => {
  const embedded = join(root, "embedded");
  await world.publish(world.stepAgent({ name: "moved", memory: true }));
  await world.until(await world.start("moved", { message: orderOf("before", 1) }), "completed");
  const { stack, user } = world;
  const tables = await stack.sql<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1",
  );
  for (const { name } of tables) {
    // Kept by triggers for the sample message.
    if (name !== "studio_memory_conversations") await plant(stack, name, user, await sampleOf(name).row(stack, user));
  }
  const [last] = await stack.sql<{ id: number }>("select max(id) as id from public.studio_agent_memory");

  const busy = await copy("--from", embedded, "--to", server.url);
  expect(busy).toMatchObject({
    code: 1,
    output: expect.stringMatching(/already running at .*\n.*stop the other instance/),
  });
  await stack.stop();

  const file = join("files", user.userId, crypto.randomUUID());
  await mkdir(join(embedded, "files", user.userId), { recursive: true });
  await writeFile(join(embedded, file), "the bytes of a file");

  const { code, output } = await copy("--from", embedded, "--to", server.url);
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining("same count and checksum") });
  expect(output).toContain(`STUDIO_DATABASE_URL=postgres://… npm start -- --data ${embedded}`);
  expect(output).not.toContain("test-key-postgres-admin");
  for (const { name } of tables) expect(output).toMatch(new RegExp(`[1-9]\\d*  public\\.${name}\n`));

  const options = { functions: true, workers: 1, allowHosts: "127.0.0.1", log: () => {} };
  const onServer = await startTestStack({ ...options, databaseUrl: server.url, dataDir: embedded });
  try {
    await worksAsBefore(onServer, "on-server");
    const [next] = await onServer.sql<{ id: number }>("select max(id) as id from public.studio_agent_memory");
    expect(Number(next?.id)).toBeGreaterThan(Number(last?.id));
    await expect(copyQuietly(server.url, join(root, "too-early"), embedded)).rejects.toMatchObject({
      message: expect.stringContaining("A studio or a worker uses the database"),
    });
  } finally {
    await onServer.stop();
  }

  const back = join(root, "back");
  const returned = await copyQuietly(server.url, back, embedded);
  expect(returned.keysDirectory).toBe(back);
  expect(await readFile(join(back, file), "utf8")).toBe("the bytes of a file");
  const again = await startTestStack({ ...options, dataDir: back });
  try {
    await worksAsBefore(again, "back");
  } finally {
    await again.stop();
  }
});

it("a place that cannot be used is refused with what to do, and nothing is changed", async () => {
  const embedded = join(root, "embedded");
  const nowhere = join(root, "nowhere");
  await expect(copyQuietly(nowhere, server.url, undefined)).rejects.toMatchObject({
    message: expect.stringContaining("holds no database of a studio"),
    hint: expect.stringContaining("npm start"),
  });
  // It holds what the first test has brought.
  await expect(copyQuietly(embedded, server.url, undefined)).rejects.toMatchObject({
    message: expect.stringMatching(/holds rows already \(\w+\.\w+\)/),
    hint: expect.stringContaining("empty database"),
  });
  await expect(copyQuietly(server.url, join(root, "back"), embedded)).rejects.toMatchObject({
    message: expect.stringContaining("holds rows already"),
  });
  const other = join(root, "other-keys");
  await mkdir(other);
  await loadKeys(join(other, "keys.json"), { mayCreate: true });
  await expect(copyQuietly(server.url, join(root, "new"), other)).rejects.toMatchObject({
    message: expect.stringContaining("keys.json holds other keys"),
  });
  await expect(copyQuietly(server.url, other, embedded)).rejects.toMatchObject({
    message: expect.stringContaining("holds other keys than those of the data"),
  });
  await server.run("delete from supabase_migrations.schema_migrations where version = '20261127000900'");
  await mkdir(join(root, "older"));
  await copyFile(join(embedded, "keys.json"), join(root, "older", "keys.json"));
  await expect(copyQuietly(server.url, join(root, "new"), join(root, "older"))).rejects.toMatchObject({
    message: expect.stringContaining("was last used by an older version"),
    hint: expect.stringContaining("Start the studio on it once"),
  });
});
