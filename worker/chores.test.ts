import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LoopbackServer, startLoopbackServer } from "../supabase/functions/_shared/testing/loopback-server.ts";
import { type PostgresServer, startPostgresServer } from "../supabase/functions/_shared/testing/postgres-server.ts";
import { addVectors } from "../supabase/local/database/postgres/testing/vector-stand-in.ts";
import { type SignedIn, signUp } from "../supabase/local/testing/clients.ts";
import { startTestStack, type TestStack } from "../supabase/local/testing/start-stack.ts";
import { statementsOn } from "../supabase/local/workers/worker-statements.ts";
import { rememberTokens, signAccountToken } from "./account-tokens.ts";
import { type ChoreName, chores } from "./chores.ts";
import { openPostgresDoor } from "./postgres-door.ts";
import type { SqlDoor } from "./sql-door.ts";
import { type DueAccount, plantDue } from "./testing/due-chores.ts";
import { lockingStatements, poisons } from "./testing/poisons.ts";
import { noWork } from "./metrics/work-figures.ts";
import { type RunningWorker, startWorker } from "./worker.ts";

const names = Object.keys(chores) as ChoreName[];
/**
 * A generous while: on a busy machine the embedded database takes a quarter of a minute to come back, and what it was sending then
 * comes due again only after two minutes.
 */
const patienceMs = 480_000;
const workerPassword = "test-key-worker-role-0123456789";

let receiver: LoopbackServer;
let stack: TestStack;
/** One whose affairs are spoilt, and one who comes after in the order of the database. */
let poisoned: SignedIn;
let healthy: SignedIn;
let worker: RunningWorker | undefined;
let lines: { at: number; line: string }[] = [];

async function begin(databaseUrl?: string, dataDir?: string): Promise<void> {
  receiver = await startLoopbackServer((_request, response) => void response.writeHead(200).end("{}"));
  stack = await startTestStack({
    functions: true,
    workers: 0,
    allowHosts: receiver.host,
    statementDeadlineMs: 1_500,
    databaseUrl,
    dataDir,
    log: () => undefined,
  });
  const [first, second] = [await signUp(stack), await signUp(stack)];
  [poisoned, healthy] = first.userId < second.userId ? [first, second] : [second, first];
}

async function end(): Promise<void> {
  await worker?.stop(0);
  await stack?.stop();
  await receiver?.stop();
}

const plant = (user: SignedIn) => plantDue(stack.sql, user.userId, `http://${receiver.host}`);

function work(door: SqlDoor): void {
  lines = [];
  worker = startWorker({
    id: `worker ${Date.now()}`,
    door,
    tokens: rememberTokens((owner) => signAccountToken(owner, stack.jwtSecret)),
    url: stack.url,
    publishableKey: stack.key,
    concurrency: 8,
    work: noWork(),
    log: (line) => void lines.push({ at: Date.now(), line }),
    chorePace: 10,
  });
}

/** The chores that are not done yet; all while the database does not say. */
const unserved = async ({ isServed }: DueAccount): Promise<ChoreName[]> => {
  try {
    const answers = await Promise.all(names.map(isServed));
    return names.filter((_, index) => answers[index] !== true);
  } catch {
    return names;
  }
};

/** What the account is told, by its own request. */
async function problemsOf(user: SignedIn): Promise<string[]> {
  const { data, error } = await user.client.rpc("studio_chore_problems");
  if (error) throw new Error(error.message);
  return (data as { chore: string }[]).map(({ chore }) => chore);
}

/** Kinds of lines that came twice within a minute: a line begins with what could not be done. */
function repeated(): string[] {
  const kindOf = ({ line }: { line: string }) => line.split(/ of the account |: /)[0] ?? line;
  return lines
    .filter((one, index) =>
      lines.slice(0, index).some((other) => kindOf(other) === kindOf(one) && one.at - other.at < 59_000),
    )
    .map(({ line }) => line);
}

/** Spoils one account, and has a worker do its chores until the other one is served; `look` sees the spoilt one then. */
async function serveOthers(
  openDoor: () => Promise<SqlDoor>,
  spoil: (account: DueAccount) => Promise<() => Promise<void>>,
  look: (account: DueAccount) => Promise<void> = () => Promise.resolve(),
): Promise<ChoreName[]> {
  const account = await plant(poisoned);
  const undo = await spoil(account);
  try {
    const other = await plant(healthy);
    work(await openDoor());
    await expect.poll(() => unserved(other), { timeout: patienceMs, interval: 250 }).toEqual([]);
    expect(repeated()).toEqual([]);
    expect(await problemsOf(healthy)).toEqual([]);
    await look(account);
    return await unserved(other);
  } finally {
    await worker?.stop(0);
    worker = undefined;
    await patiently(undo);
    await patiently(() => stack.sql("delete from private.studio_chore_problems"));
  }
}

/** The same with one of the poisons, and what becomes of its account. */
const serveBeside = (openDoor: () => Promise<SqlDoor>, { spoil, told, refused }: (typeof poisons)[number]) =>
  serveOthers(
    openDoor,
    (account) => spoil(stack.sql, account),
    async (account) => {
      await expect.poll(() => problemsOf(poisoned), { timeout: patienceMs }).toEqual(expect.arrayContaining([...told]));
      if (refused === undefined) return;
      await expect.poll(() => unserved(account), { timeout: patienceMs }).toEqual(refused);
      expect(await problemsOf(poisoned)).toEqual(told);
    },
  );

/** A database that was ended may still be on its way back. */
async function patiently(task: () => Promise<unknown>): Promise<void> {
  await expect
    .poll(
      () =>
        task().then(
          () => true,
          () => false,
        ),
      { timeout: patienceMs, interval: 1_000 },
    )
    .toBe(true);
}

describe("S96 on the embedded database", () => {
  beforeAll(() => begin());
  afterAll(end);

  const openDoor = (): Promise<SqlDoor> => {
    const client = stack.database.connect();
    return Promise.resolve({
      ...statementsOn(client),
      pollMs: 500,
      onWake: () => undefined,
      close: async () => client.close(),
    });
  };

  it.each(poisons)(
    "S96 everybody else is served by every chore while one account $what",
    async (poison) => {
      expect(await serveBeside(openDoor, poison)).toEqual([]);
    },
    2 * patienceMs,
  );
});

describe("S96 on PostgreSQL", () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgresServer();
    await addVectors(server);
    await begin(server.url);
    await server.run(
      `alter role studio_worker login password '${workerPassword}'; alter role studio_worker set statement_timeout = '2s'`,
    );
  });
  afterAll(async () => {
    await end();
    await server?.stop();
  });

  const openDoor = () => openPostgresDoor(server.urlOf("studio_worker", workerPassword), () => undefined);

  it.each(poisons)(
    "S96 everybody else is served by every chore while one account $what",
    async (poison) => {
      expect(await serveBeside(openDoor, poison)).toEqual([]);
    },
    2 * patienceMs,
  );

  it(
    "S96 everybody else is served by every chore while another session holds all rows of one account",
    async () => {
      const session = postgres(server.url, { max: 1, onnotice: () => undefined });
      const left = await serveOthers(openDoor, async (account) => {
        await session.unsafe("begin");
        for (const statement of lockingStatements(account)) await session.unsafe(statement);
        return async () => void (await session.unsafe("rollback"));
      });
      expect(left).toEqual([]);
      await session.end();
    },
    2 * patienceMs,
  );
});
