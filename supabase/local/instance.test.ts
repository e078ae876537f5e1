import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forkDatabase } from "./database/fork-database.mjs";
import { startStack } from "./stack.ts";
import { createTestClient, signUp } from "./testing/clients.ts";
import { startTestStack } from "./testing/start-stack.ts";

const root = await mkdtemp(join(tmpdir(), "switchyard-instance-"));
const projectRoot = fileURLToPath(new URL("../..", import.meta.url));
const child = fileURLToPath(new URL("testing/stack-child.mjs", import.meta.url));
const children: ChildProcess[] = [];
/** A data directory that was used and stopped in order. */
const used = join(root, "used");
let account: { email: string; password: string };

beforeAll(async () => {
  const stack = await startTestStack({ dataDir: used });
  account = await signUp(stack);
  await stack.stop();
});

afterAll(async () => {
  for (const one of children) one.kill("SIGKILL");
  await rm(root, { recursive: true, force: true });
});

const options = (changes: Partial<Parameters<typeof startStack>[0]>) => ({
  projectRoot,
  dataDir: used,
  host: "127.0.0.1",
  port: 0,
  site: { directory: join(root, "no-site") },
  functions: false,
  allowHosts: "",
  log: () => undefined,
  ...changes,
});

/** Starts a stack in a process of its own and waits until it answers. */
async function startChild(dataDir: string): Promise<{ url: string; key: string; process: ChildProcess }> {
  const started = spawn(process.execPath, [child, dataDir], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(started);
  for await (const chunk of started.stdout) {
    const match = /URL (\S+) (\S+)/.exec(String(chunk));
    if (match?.[1] && match[2]) return { url: match[1], key: match[2], process: started };
  }
  throw new Error("The stack did not start.");
}

function kill(started: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    started.once("exit", () => resolve());
    started.kill("SIGKILL");
  });
}

async function everyFile(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

test("a restart keeps accounts, keys and data", async () => {
  const first = await startTestStack({ dataDir: used });
  const user = await signUp(first);
  await user.client.from("studio_workflows").insert({ name: "Kept", document: { kept: true } });
  await first.stop();

  const second = await startTestStack({ dataDir: used });
  expect(second.key).toBe(first.key);
  const client = createTestClient(second);
  expect((await client.auth.signInWithPassword({ email: user.email, password: user.password })).error).toBeNull();
  expect((await client.from("studio_workflows").select("name, document")).data).toEqual([
    { name: "Kept", document: { kept: true } },
  ]);
  await second.stop();
});

test("a killed instance loses nothing it acknowledged, and its lock is taken over", async () => {
  const data = join(root, "killed");
  const first = await startChild(data);
  const user = await signUp(first);
  const acknowledged: number[] = [];
  const writing = (async () => {
    for (let index = 0; index < 1_000; index += 1) {
      const { error } = await user.client.from("studio_workflows").insert({ name: String(index), document: {} });
      if (error) return;
      acknowledged.push(index);
    }
  })();
  await expect.poll(() => acknowledged.length).toBeGreaterThan(20);
  await kill(first.process);
  await writing;

  const second = await startTestStack({ dataDir: data });
  const client = createTestClient(second);
  await client.auth.signInWithPassword({ email: user.email, password: user.password });
  const { data: rows } = await client.from("studio_workflows").select("name");
  const names = new Set(rows?.map((row) => row.name));
  expect(acknowledged.filter((index) => !names.has(String(index)))).toEqual([]);
  await second.stop();
});

test("after a kill during the first start the next one begins afresh, beside what the first left running", async () => {
  const data = join(root, "cut-short");
  const first = spawn(process.execPath, [child, data], { stdio: "ignore" });
  children.push(first);
  await expect
    .poll(async () => (await readdir(data).catch(() => [])).some((name) => name.startsWith("database.new")), {
      timeout: 60_000,
      interval: 20,
    })
    .toBe(true);
  await kill(first);
  const second = await startChild(data);
  expect((await fetch(`${second.url}/.well-known/switchyard`)).status).toBe(200);
  await kill(second.process);
});

test("a second start on the same directory is refused, and the first goes on", async () => {
  const first = await startTestStack({ dataDir: used });
  await expect(startStack(options({}))).rejects.toThrow(`already running at ${first.url}`);
  expect((await fetch(`${first.url}/.well-known/switchyard`)).status).toBe(200);
  await first.stop();
  await (await startTestStack({ dataDir: used })).stop();
});

test("a lock left by a dead process, by an earlier process of the same number, or in pieces is taken over", async () => {
  const dead = spawnSync(process.execPath, ["-e", ""]).pid;
  const records = [
    JSON.stringify({ instance: "dead", pid: dead, processStart: null }),
    ...(process.platform === "linux"
      ? [JSON.stringify({ instance: "earlier", pid: process.pid, processStart: "another-boot/1" })]
      : []),
    "{ not json",
  ];
  for (const record of records) {
    await writeFile(join(used, "instance.json"), record);
    await (await startTestStack({ dataDir: used })).stop();
    expect(await readdir(used)).not.toContain("instance.json");
  }
});

test("a lock of another system is respected as long as it shows life, and taken over in silence", async () => {
  const lock = join(used, "instance.json");
  const other = JSON.stringify({
    instance: "other",
    pid: process.pid,
    processStart: null,
    system: "another container",
  });
  await writeFile(lock, other);
  const life = setInterval(() => void utimes(lock, new Date(), new Date()).catch(() => undefined), 100);
  await expect(startStack(options({}))).rejects.toThrow("already running");
  clearInterval(life);
  await (await startTestStack({ dataDir: used })).stop();
});

test("an instance whose data directory was taken over stops, and leaves it to the other", async () => {
  const log: string[] = [];
  const stack = await startStack(options({ log: (line) => log.push(line) }));
  const lock = join(used, "instance.json");
  await writeFile(lock, JSON.stringify({ instance: "other", pid: process.pid, processStart: null }));
  await expect.poll(() => log.join()).toContain("has taken over this data directory");
  await stack.stop();
  await expect(fetch(stack.url)).rejects.toThrow("fetch failed");
  expect(JSON.parse(await readFile(lock, "utf8")).instance).toBe("other");
  await rm(lock);
});

test("a database process that was started ahead is taken, and one that has ended meanwhile replaced", async () => {
  const ahead = forkDatabase();
  const stack = await startStack(options({ databaseProcess: ahead }));
  expect(stack.database.pid).toBe(ahead.pid);
  await stack.stop();
  expect(ahead.exitCode).toBe(0);

  const dead = forkDatabase();
  dead.kill("SIGKILL");
  await once(dead, "exit");
  const other = await startStack(options({ databaseProcess: dead }));
  await expect(
    createTestClient({ url: other.url, key: other.keys.publishableKey }).auth.signInWithPassword(account),
  ).resolves.toMatchObject({ error: null });
  await other.stop();
});

test("a database process that was started ahead ends when the studio cannot start", async () => {
  const ahead = forkDatabase();
  const blocker = createServer().listen(0, "127.0.0.1");
  await once(blocker, "listening");
  const address = blocker.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const ended = once(ahead, "exit");
  await expect(startStack(options({ databaseProcess: ahead, port }))).rejects.toThrow("already in use");
  await ended;
  blocker.close();
});

test("a taken port is named, and the data directory is free again", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const address = other.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  await expect(startStack(options({ port }))).rejects.toMatchObject({
    message: `Port ${port} on 127.0.0.1 is already in use by another program.`,
    hint: expect.stringContaining("--port"),
  });
  other.close();
  await (await startTestStack({ dataDir: used })).stop();
});

test("an address that is not this machine's is named", async () => {
  await expect(startStack(options({ host: "192.0.2.1" }))).rejects.toThrow(
    "192.0.2.1 is not an address of this machine",
  );
});

describe("a damaged data directory is reported and nothing in it is deleted", () => {
  const damages: Record<string, (data: string) => Promise<unknown>> = {
    "its version file": (data) => writeFile(join(data, "database", "PG_VERSION"), "garbage"),
    "its control file": (data) => writeFile(join(data, "database", "global", "pg_control"), Buffer.alloc(8192, "x")),
    "a cut control file": (data) => writeFile(join(data, "database", "global", "pg_control"), ""),
    "its tables": async (data) => {
      const files = await everyFile(join(data, "database", "base"));
      for (const file of files) await writeFile(file, Buffer.alloc(8192, "garbage!"));
    },
    "its write-ahead log": async (data) => {
      const files = await everyFile(join(data, "database", "pg_wal"));
      for (const file of files) await writeFile(file, Buffer.alloc(8192, "garbage!"));
    },
    "an emptied database": async (data) => {
      await rm(join(data, "database"), { recursive: true });
      await mkdir(join(data, "database"));
    },
    "its keys": (data) => writeFile(join(data, "keys.json"), "{}"),
    "missing keys": (data) => rm(join(data, "keys.json")),
  };

  test.each(Object.entries(damages))("%s", async (name, damage) => {
    const data = join(root, `damaged-${name.replaceAll(" ", "-")}`);
    await cp(used, data, { recursive: true });
    await damage(data);
    const before = await everyFile(data);
    // In a process of its own: a Postgres that has crashed takes more than its promise along.
    const { status, stderr } = spawnSync(process.execPath, [child, data], { encoding: "utf8" });
    expect(stderr).toMatch(/The data directory is damaged: .*\n.*(Nothing was deleted|Nothing was changed)/);
    expect(status).toBe(1);
    expect((await everyFile(data)).filter((file) => before.includes(file))).toEqual(before);
  });

  test("a file in its place", async () => {
    const file = join(root, "a-file");
    await writeFile(file, "mine");
    await expect(startStack(options({ dataDir: file }))).rejects.toThrow(
      /cannot be used: there is a file of that name/,
    );
    expect(await readFile(file, "utf8")).toBe("mine");
  });

  test("somebody else's directory", async () => {
    const other = join(root, "documents");
    await mkdir(other);
    await writeFile(join(other, "letter.txt"), "mine");
    await expect(startStack(options({ dataDir: other }))).rejects.toThrow(/holds other files, but no Switchyard data/);
    expect(await readdir(other)).toEqual(["letter.txt"]);
  });
});

test("the account of the first start still signs in", async () => {
  const stack = await startTestStack({ dataDir: used });
  expect((await createTestClient(stack).auth.signInWithPassword(account)).error).toBeNull();
  await stack.stop();
});
