import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import type { ChaosWorld } from "./chaos-world.ts";
import { type CrowdingAccount, crowd } from "./crowding-account.ts";

/** Something that goes wrong while published runs go on. */
export interface Scenario {
  name: string;
  /** Makes it go wrong and puts it right; from then on the ten seconds count. Gives what it found wrong itself, in words. */
  happen(chaos: ChaosWorld): Promise<string[]>;
}

const away = 5_000;
const stallMs = 30_000;
/** Longer than a lease, so that others go on with what the worker had. */
const stoppedMs = 20_000;
const crowdedMs = 10_000;
const kills = 20;
const takenAtOnce = 8;
const runs = 10_000;

/** In their order. The last one finds what the one before has left; played alone, it begins with that. */
export function scenarios(openSeconds: number): Scenario[] {
  let crowding: CrowdingAccount | undefined;
  return [
    {
      name: `the server restarts and is away for ${away / 1_000} s`,
      happen: ({ server }) => nothingWrong(server.restart(() => delay(away))),
    },
    {
      name: `${kills} times a backend is killed`,
      async happen({ sql }) {
        for (let count = 0; count < kills; count += 1) {
          await sql`
            select pg_terminate_backend(pid) from pg_stat_activity
            where application_name like 'switchyard%' order by random() limit 1`;
          await delay(250);
        }
        return [];
      },
    },
    { name: `all connections are taken for ${away / 1_000} s`, happen: takeConnections },
    { name: `a transaction stays open for ${openSeconds} s`, happen: (chaos) => stayOpen(chaos, openSeconds * 1_000) },
    {
      name: `the network stalls for ${stallMs / 1_000} s`,
      async happen({ proxy }) {
        proxy.stall();
        await delay(stallMs);
        proxy.flow();
        return [];
      },
    },
    {
      name: `a worker is stopped for ${stoppedMs / 1_000} s and woken`,
      async happen({ workers: [{ pid }] }) {
        process.kill(pid, "SIGSTOP");
        await delay(stoppedMs);
        process.kill(pid, "SIGCONT");
        return [];
      },
    },
    {
      name: "a worker runs out of memory",
      async happen({ workers: [worker] }) {
        const before = worker.endings.length;
        process.kill(worker.pid, "SIGUSR2");
        while (worker.endings.length === before) await delay(50);
        const how = worker.endings.at(-1);
        return how === "SIGABRT" ? [] : [`The worker ended with ${how}.`];
      },
    },
    {
      name: `a burst of ${runs} starts of another account`,
      async happen(chaos) {
        crowding = await crowd(chaos, runs);
        return [];
      },
    },
    {
      name: `another account has ${runs} runs behind a limit`,
      async happen(chaos) {
        crowding ??= await crowd(chaos, runs);
        await delay(crowdedMs);
        return crowding.faults();
      },
    },
  ];
}

const nothingWrong = (work: Promise<void>): Promise<string[]> => work.then(() => []);

/** Another program has every connection that it can get, also those that the studio and its workers had. */
async function takeConnections({ server, sql }: ChaosWorld): Promise<string[]> {
  await sql.unsafe("drop role if exists greedy; create role greedy login password 'test-key-greedy-0123456789'");
  const url = server.urlOf("greedy", "test-key-greedy-0123456789");
  const taken: postgres.Sql[] = [];
  const take = async (): Promise<boolean> => {
    const client = postgres(url, { max: 1, onnotice: () => undefined });
    try {
      await client`select 1`;
      taken.push(client);
      return true;
    } catch {
      await client.end({ timeout: 0 });
      return false;
    }
  };
  while ((await Promise.all(Array.from({ length: takenAtOnce }, take))).every(Boolean));
  const until = Date.now() + away;
  while (Date.now() < until) {
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name like 'switchyard%' order by random() limit 1`;
    await take();
  }
  await Promise.all(taken.map((client) => client.end({ timeout: 1 })));
  return [];
}

/** A transaction that has written and reads what was there when it began, and holds the row of a run that is queued. */
async function stayOpen({ sql }: ChaosWorld, ms: number): Promise<string[]> {
  await sql.begin("isolation level repeatable read", async (transaction) => {
    await transaction`create temporary table kept_open on commit drop as select 1 as one`;
    await transaction`
      select id from public.studio_runs where status = 'queued' order by queued_at desc limit 1 for update skip locked`;
    await delay(ms);
  });
  return [];
}
