import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DatabaseUnavailable, StatementError } from "./database-client.ts";
import { endLeftoverProcess, noteProcess } from "./leftover-process.ts";
import { signUp, type SignedIn } from "../testing/clients.ts";
import { attacks, killDatabase, read, readMeanwhile, writeMeanwhile } from "../testing/faults.ts";
import { startTestStack, type TestStack } from "../testing/start-stack.ts";

const log: string[] = [];
let stack: TestStack;
let user: SignedIn;

beforeAll(async () => {
  stack = await startTestStack({ statementDeadlineMs: 2_500, log: (line) => log.push(line) });
  user = await signUp(stack);
});

afterAll(() => stack.stop());

async function served(): Promise<void> {
  await expect.poll(async () => (await read(stack, user)).status).toBe(200);
}

test.each([["long"], ["backReference"]] as const)(
  "S61 a statement over its deadline (%s) is ended, and others are served or told when to come again",
  async (name) => {
    const attack = stack.sql(attacks[name]);
    const others = readMeanwhile(stack, user, attack);
    await expect(attack).rejects.toMatchObject({ reason: "too-long" });
    expect((await others).wrong).toEqual([]);
    await served();
    expect(log.join("\n")).toMatch(/The database stopped: a statement took longer than 2\.5 s/);
    await expect.poll(() => log.join("\n")).toMatch(/The database is back after/);
  },
);

test.each([["nestedJson"], ["nestedPattern"], ["nestedWords"]] as const)(
  "S61 after deep nesting (%s) and an error of SQL others get their rows",
  async (name) => {
    await user.client.from("studio_workflows").insert({ name, document: {} });
    const attack = stack.sql(attacks[name]);
    const others = readMeanwhile(stack, user, attack);
    await expect(attack).rejects.toMatchObject({
      message: expect.stringMatching(/stack depth|parenthes|too complex|database/i),
    });
    expect((await others).wrong).toEqual([]);
    await expect(untilAsked(() => stack.sql("select 1 / 0"))).rejects.toMatchObject({ code: "22012" });
    await served();
    const { data } = await user.client.from("studio_workflows").select("name").eq("name", name);
    expect(data).toEqual([{ name }]);
  },
);

test("the studio answers while the database is away, and says so", async () => {
  killDatabase(stack);
  const states = new Set<string>();
  await expect
    .poll(
      async () => {
        const { database } = await (await fetch(`${stack.url}/.well-known/switchyard`)).json();
        states.add(database);
        return database;
      },
      { interval: 20 },
    )
    .toBe("restarting");
  await served();
  expect(stack.database.state).toBe("ready");
});

test("killed in the middle of writes, again and again, the database loses nothing that it acknowledged", async () => {
  const rounds = (async () => {
    for (let round = 0; round < 3; round += 1) {
      await sleep(400);
      const before = stack.database.pid;
      killDatabase(stack);
      await expect.poll(() => stack.database.pid).not.toBe(before);
      await served();
    }
  })();
  const acknowledged = await writeMeanwhile(user, rounds);
  await rounds;
  expect(acknowledged.length).toBeGreaterThan(0);
  const rows = await stack.sql<{ name: string }>("select name from public.studio_workflows where owner = $1", [
    user.userId,
  ]);
  const names = new Set(rows.map((row) => row.name));
  expect(acknowledged.filter((name) => !names.has(name))).toEqual([]);
});

test("a client's SQL comes back with its values, and an error with its code", async () => {
  const client = stack.database.connect();
  const { rows } = await client.query("select 1 as one, $1::jsonb as document, null as nothing", [{ a: [1] }]);
  expect(rows).toEqual([{ one: 1, document: { a: [1] }, nothing: null }]);
  await expect(client.query("select * from nowhere")).rejects.toMatchObject({ code: "42P01" });
  await expect(client.query("begin")).resolves.toBeDefined();
  await served();
  client.close();
});

test("a transaction is kept as a whole or not at all, and nobody comes between its statements", async () => {
  const client = stack.database.connect();
  await client.query("create table private.kept (number integer unique)");
  const count = async () => (await client.query("select count(*)::integer as count from private.kept")).rows;
  const adding = client.transaction(async (transaction) => {
    await transaction.query("insert into private.kept values (1)");
    await sleep(50);
    await transaction.query("insert into private.kept values (2)");
  });
  expect(await count()).toEqual([{ count: 2 }]);
  await adding;
  const failing = client.transaction(async (transaction) => {
    await transaction.query("insert into private.kept values (3)");
    await transaction.query("insert into private.kept values (1)");
  });
  await expect(failing).rejects.toBeInstanceOf(StatementError);
  expect(await count()).toEqual([{ count: 2 }]);
  client.close();
});

test("what a transaction did before the database restarted is not continued after it", async () => {
  const client = stack.database.connect();
  await client.query("create table private.halves (half integer)");
  const broken = client.transaction(async (transaction) => {
    await transaction.query("insert into private.halves values (1)");
    const before = stack.database.pid;
    killDatabase(stack);
    await expect.poll(() => stack.database.pid).not.toBe(before);
    await served();
    await transaction.query("insert into private.halves values (2)");
  });
  await expect(broken).rejects.toBeInstanceOf(DatabaseUnavailable);
  expect((await client.query("select * from private.halves")).rows).toEqual([]);
  client.close();
});

test("a client that is closed leaves neither waiting statements nor an open transaction", async () => {
  const client = stack.database.connect();
  await client.query("create table private.left (number integer)");
  let begun = (): void => undefined;
  const inside = new Promise<void>((resolve) => (begun = resolve));
  const open = client.transaction(async (transaction) => {
    await transaction.query("insert into private.left values (1)");
    begun();
    await new Promise(() => undefined);
  });
  const waiting = client.query("insert into private.left values (2)");
  const outcomes = Promise.allSettled([open, waiting]);
  await inside;
  client.close();
  const closed = { status: "rejected", reason: expect.objectContaining({ reason: "closed" }) };
  expect(await outcomes).toEqual([closed, closed]);
  await expect(client.query("select 1")).rejects.toMatchObject({ reason: "closed" });
  expect(await stack.sql("select * from private.left")).toEqual([]);
});

test.runIf(process.platform === "linux")(
  "a database's process that a killed studio left behind is ended before the next one opens",
  async () => {
    const directory = await mkdtemp(join(tmpdir(), "switchyard-leftover-"));
    const note = join(directory, "database-process.json");
    const leftover = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    const ended = once(leftover, "exit");
    noteProcess(note, leftover.pid ?? 0);
    await endLeftoverProcess(note);
    expect(await ended).toEqual([null, "SIGKILL"]);
    expect(await readdir(directory)).toEqual([]);
    await rm(directory, { recursive: true });
  },
);

/** Asks again while the database says that nothing was done. */
async function untilAsked<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || error.reason === "too-long") throw error;
      await sleep(50);
    }
  }
}

test("a process that hangs while nobody asks is found and replaced", async () => {
  const calm = await startTestStack({ healthCheckMs: 200, log: (line) => log.push(line) });
  try {
    const { pid } = calm.database;
    if (pid === undefined) throw new Error("The database has no process.");
    process.kill(pid, "SIGSTOP");
    await expect.poll(() => calm.database.state === "ready" && calm.database.pid !== pid).toBe(true);
  } finally {
    await calm.stop();
  }
});
