import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod/mini";
import { makeApiKey } from "../../supabase/functions/doors/testing/api-keys.ts";
import { signUp } from "../../supabase/local/testing/clients.ts";
import { orderOf } from "../../worker/testing/step-servers.ts";
import { startWorkerWorld, type WorkerWorld } from "../../worker/testing/worker-world.ts";
import { limitRow, median, type Row } from "../measure.ts";
import { endure } from "./besieged.ts";
import type { floods, FloodTarget } from "./floods.ts";

const visits = 15;
const refusedCalls = 200;
const runs = 30;
const keys = 4;
const guestMs = 10_000;

/** What a flood of one door, and six hundred streams, do to the visitor of another door and to a guest of the studio. */
export async function measureFloods(): Promise<Row[]> {
  const world = await startWorkerWorld();
  try {
    for (const slug of ["loud", "quiet"]) await openPage(world, slug);
    const { key } = await makeApiKey(world.user, ["run:*", "runs:read"]);
    const visitor = await enter(world, "quiet");
    return [
      ...(await measureCosts(world, key)),
      ...(await measureDelays(world, visitor)),
      ...(await measureStreams(world, visitor)),
    ];
  } finally {
    await world.stop();
  }
}

async function openPage(world: WorkerWorld, slug: string): Promise<void> {
  const { error } = await world.user.client.rpc("studio_save_door", {
    p_workflow_id: await world.publish(world.stepAgent({ name: slug, approval: slug === "loud" ? "ask" : "never" })),
    p_kind: "chat",
    p_enabled: true,
    p_config: { perMinute: 600, perDay: 100_000 },
    p_secrets: null,
  });
  if (error) throw new Error(error.message);
}

async function enter({ stack }: WorkerWorld, slug: string): Promise<string> {
  const response = await fetch(`${stack.url}/c-api/${slug}/session`, { method: "POST", body: "{}" });
  return z.object({ token: z.string() }).parse(await response.json()).token;
}

async function post({ stack }: WorkerWorld, path: string, authorization: string, body: object): Promise<number> {
  const headers = { authorization: `Bearer ${authorization}`, "content-type": "application/json" };
  const response = await fetch(`${stack.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  await response.text();
  return response.status;
}

/** Time of the database for a call that is refused, against one that is served. */
async function measureCosts(world: WorkerWorld, key: string): Promise<Row[]> {
  const costOf = async (count: number, send: () => Promise<unknown>) => {
    const before = world.stack.database.work().ms;
    await Promise.all(Array.from({ length: count }, send));
    return (world.stack.database.work().ms - before) / count;
  };
  const serve = () => post(world, "/api/run/quiet", key, { message: orderOf(crypto.randomUUID(), 1) });
  await serve();
  const served = await costOf(10, serve);
  const refused = await costOf(refusedCalls, () => post(world, "/api/run/quiet", `sy_${"A".repeat(43)}`, {}));
  const token = await costOf(refusedCalls, () => post(world, "/c-api/quiet/leave", `cs_${"A".repeat(43)}`, {}));
  return [
    limitRow("database for a made-up key, of a served call", refused / served, "×", 0.1),
    limitRow("database for a made-up visitor, of a served call", token / served, "×", 0.1),
  ];
}

/** The median of a visitor's message with its answer, in milliseconds. */
async function visit(world: WorkerWorld, visitor: string): Promise<number> {
  const took: number[] = [];
  for (let count = 0; count < visits; count += 1) {
    const began = performance.now();
    const message = { text: orderOf(crypto.randomUUID(), 1), key: crypto.randomUUID() };
    let status = await post(world, "/c-api/quiet/messages", visitor, message);
    // Told to come again, which counts as waiting.
    while (status === 503) {
      await sleep(100);
      status = await post(world, "/c-api/quiet/messages", visitor, message);
    }
    if (status !== 200) throw new Error(`The visitor of the quiet page was refused with ${status}.`);
    took.push(performance.now() - began);
  }
  return median(took);
}

async function measureDelays(world: WorkerWorld, visitor: string): Promise<Row[]> {
  const rows: Row[] = [];
  await visit(world, visitor);
  for (const name of ["no key", "made-up keys", "made-up tokens"] as const) {
    const alone = await visit(world, visitor);
    const flood = await startFlood(world, name);
    const flooded = await visit(world, visitor).finally(flood.stop);
    console.log(`  ${name}: ${Math.round(alone)} ms alone, ${Math.round(flooded)} ms flooded`);
    rows.push(limitRow(`delay of another door's visitor by a flood: ${name}`, flooded / alone, "×", 1.5));
  }
  return rows;
}

async function measureStreams(world: WorkerWorld, visitor: string): Promise<Row[]> {
  const alone = await visit(world, visitor);
  const started = await Promise.all(
    Array.from({ length: runs }, (_run, index) => world.start("loud", { message: orderOf(`s${index}`, 1) })),
  );
  await Promise.all(started.map((id) => world.until(id, "waiting")));
  const made = await Promise.all(Array.from({ length: keys }, () => makeApiKey(world.user, ["run:*", "runs:read"])));
  const flood = await startFlood(world, "streams", { keys: made.map(({ key }) => key), runs: started });
  const followed = await visit(world, visitor).catch((error: unknown) =>
    flood.stop().then(() => Promise.reject(error)),
  );
  const page = createServer((_request, response) => response.end("ok")).listen(0, "127.0.0.1");
  await once(page, "listening");
  const address = page.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const over = new AbortController();
  const guest = await signUp(world.stack);
  const working = endure({ ...world.stack, page: `http://127.0.0.1:${port}/` }, guest, over.signal);
  await sleep(guestMs);
  over.abort();
  const told = await working;
  const statuses = await flood.stop();
  page.close();
  for (const line of told.wrong.slice(0, 10)) console.log(`  ${line}`);
  console.log(`  streams by status: ${JSON.stringify(statuses)}`);
  return [
    limitRow("delay of another door's visitor by 600 streams", followed / alone, "×", 1.5),
    limitRow("guest under 600 streams: left alone, or refused otherwise", told.wrong.length, "requests", 0),
    limitRow("guest under 600 streams: slowest answer", told.slowestMs, "ms", 2_000),
  ];
}

async function startFlood({ stack }: WorkerWorld, name: keyof typeof floods, target: FloodTarget = {}) {
  const program = fileURLToPath(new URL("flooders.mjs", import.meta.url));
  const child = fork(program, [stack.url, name, JSON.stringify(target)], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await once(child, "message");
  return {
    /** Gives how often each status came. */
    async stop(): Promise<unknown> {
      const told = once(child, "message");
      child.send("over");
      const late = setTimeout(() => child.kill("SIGKILL"), 10_000);
      const [statuses] = await Promise.race([told, once(child, "exit")]);
      clearTimeout(late);
      return statuses;
    },
  };
}
