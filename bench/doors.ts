import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod/mini";
import type { ChatEvent } from "../src/doors/chat-api.ts";
import { makeApiKey } from "../supabase/functions/doors/testing/api-keys.ts";
import { startWorkerWorld, type WorkerWorld } from "../worker/testing/worker-world.ts";
import { limitRow, median, type Bench, type Row } from "./measure.ts";

const questions = 20;
const visitors = 50;
const words = 60;
/** Long enough that all visitors' answers are under way at the same time. */
const wordsAtOnce = 600;
/** Of each kind. */
const refusals = 20;

/** What a visitor heard of one answer. */
interface Heard {
  text: string;
  /** By `performance.now()`. */
  askedAt: number;
  firstAt: number;
  endedAt: number;
}

/** A published agent's chat page and API, as visitors and programs meet them. */
export const doorsBench: Bench = {
  id: "doors",
  title: `Doors: a chat page and the API of the embedded studio, a model that says ${words} words`,
  async run() {
    const world = await startWorkerWorld({ stepMs: 20 });
    try {
      await openPage(world, "talk", { perMinute: 100 });
      return [...(await oneByOne(world)), ...(await allAtOnce(world)), ...(await refused(world))];
    } finally {
      await world.stop();
    }
  },
};

async function openPage(world: WorkerWorld, slug: string, config: object): Promise<void> {
  const { error } = await world.user.client.rpc("studio_save_door", {
    p_workflow_id: await world.publish(world.stepAgent({ name: slug, memory: true })),
    p_kind: "chat",
    p_enabled: true,
    p_config: config,
    p_secrets: null,
  });
  if (error) throw new Error(error.message);
}

function call(world: WorkerWorld, path: string, body: unknown, headers: Record<string, string> = {}) {
  return fetch(`${world.stack.url}${path}`, {
    method: "POST",
    headers: { origin: "null", "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

async function enter(world: WorkerWorld, slug: string): Promise<string> {
  const response = await call(world, `/c-api/${slug}/session`, {});
  if (!response.ok) throw new Error(await response.text());
  return z.object({ token: z.string() }).parse(await response.json()).token;
}

const messageTo = (name: string, count = words) => ({
  text: `speak ${count} words to ${name}`,
  key: crypto.randomUUID(),
});

async function ask(world: WorkerWorld, token: string, name: string, count = words): Promise<Heard> {
  const askedAt = performance.now();
  const response = await call(world, "/c-api/talk/messages", messageTo(name, count), {
    authorization: `Bearer ${token}`,
  });
  if (!response.ok || !response.body) throw new Error(await response.text());
  const heard: Heard = { text: "", askedAt, firstAt: Infinity, endedAt: Infinity };
  let rest = "";
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + part).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks.filter((text) => text.startsWith("data: "))) {
      const event: ChatEvent = JSON.parse(block.slice("data: ".length));
      if (event.type !== "text") continue;
      if (heard.text === "") heard.firstAt = performance.now();
      heard.text += event.delta;
    }
  }
  heard.endedAt = performance.now();
  return heard;
}

const p95 = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.95)] ?? Infinity;

async function oneByOne(world: WorkerWorld): Promise<Row[]> {
  const token = await enter(world, "talk");
  await ask(world, token, "warm-up");
  const toVisitor: number[] = [];
  for (let count = 0; count < questions; count += 1) {
    const heard = await ask(world, token, `q${count}`);
    const spokenAt = world.servers.spokenAt.get(`q${count}`) ?? Infinity;
    toVisitor.push(heard.firstAt - spokenAt);
  }
  const waits = await world.stack.sql<{ ms: number }>(
    "select extract(epoch from started_at - queued_at)::float8 * 1000 as ms from studio_runs",
  );
  return [
    limitRow("from the start of a run to its worker, median", median(waits.map(({ ms }) => ms)), "ms", 50),
    limitRow("from the model's first word to the visitor's, median", median(toVisitor), "ms", 30),
    limitRow("from the model's first word to the visitor's, p95", p95(toVisitor), "ms", 60),
  ];
}

async function allAtOnce(world: WorkerWorld): Promise<Row[]> {
  const tokens = await Promise.all(Array.from({ length: visitors }, () => enter(world, "talk")));
  const all = await Promise.all(tokens.map((token, index) => ask(world, token, `v${index}`, wordsAtOnce)));
  const whole = Array.from({ length: wordsAtOnce }, (_, index) => `word${index}`).join(" ");
  const late = all.map(({ firstAt }, index) => firstAt - (world.servers.spokenAt.get(`v${index}`) ?? Infinity));
  const began = all.map(({ askedAt }, index) => (world.servers.spokenAt.get(`v${index}`) ?? Infinity) - askedAt);
  const atOnce = Math.max(
    ...all.map(({ firstAt }) => all.filter((one) => one.firstAt <= firstAt && firstAt < one.endedAt).length),
  );
  return [
    {
      name: "answers under way at the same time",
      value: atOnce,
      unit: "",
      goal: `${visitors}`,
      met: atOnce === visitors,
    },
    limitRow(
      `${visitors} visitors at once: answers with a word lost`,
      all.filter(({ text }) => text !== whole).length,
      "",
      0,
    ),
    limitRow(
      `${visitors} visitors at once: question to the model's first word, slowest`,
      Math.max(...began),
      "ms",
      15_000,
    ),
    limitRow(`${visitors} visitors at once: the model's first word to the visitor's, median`, median(late), "ms", 200),
  ];
}

/** How fast what is not allowed is refused, each kind on its own; none of it may start a run. */
async function refused(world: WorkerWorld): Promise<Row[]> {
  await openPage(world, "closed", { perDay: 1 });
  await openPage(world, "short", { messageChars: 10 });
  const token = await enter(world, "talk");
  const [toClosed, toShort] = [await enter(world, "closed"), await enter(world, "short")];
  const { key } = await makeApiKey(world.user, ["runs:read"]);
  const bearer = (value: string) => ({ authorization: `Bearer ${value}` });
  const kinds: Record<string, () => Promise<Response>> = {
    "made-up session": () => call(world, "/c-api/talk/messages", messageTo("x"), bearer(`cs_${"A".repeat(43)}`)),
    "foreign site": () => call(world, "/c-api/talk/session", {}, { origin: "https://evil.test" }),
    "message too long": () => call(world, "/c-api/short/messages", messageTo("x"), bearer(toShort)),
    "closed for today": () => call(world, "/c-api/closed/messages", messageTo("x"), bearer(toClosed)),
    "somebody else's run": () => call(world, `/c-api/talk/runs/${crypto.randomUUID()}/stop`, {}, bearer(token)),
    "unknown key": () => call(world, "/api/run/talk", {}, bearer(`sy_${"A".repeat(43)}`)),
    "key without the right": () => call(world, "/api/run/talk", {}, bearer(key)),
    "unknown page": () => call(world, "/c-api/nothing/session", {}),
  };
  await (await kinds["closed for today"]?.())?.text();
  const runs = async () => (await world.stack.sql("select 1 from public.studio_runs")).length;
  const before = await runs();
  const rows: Row[] = [];
  for (const [kind, send] of Object.entries(kinds)) {
    const took: number[] = [];
    for (let count = 0; count < refusals; count += 1) {
      const began = performance.now();
      const response = await send();
      took.push(performance.now() - began);
      if (response.ok) throw new Error(`${kind} was let in.`);
      await response.body?.cancel();
      await delay(20);
    }
    rows.push(limitRow(`refused: ${kind}, median`, median(took), "ms", 50));
  }
  rows.push(limitRow("runs started by what was refused", (await runs()) - before, "", 0));
  return rows;
}
