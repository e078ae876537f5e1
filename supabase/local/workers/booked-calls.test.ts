import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod/mini";
import { type SignedIn, signUp } from "../testing/clients.ts";
import { plant } from "../testing/sample-rows.ts";
import { startTestStack, type TestStack } from "../testing/start-stack.ts";

let stack: TestStack;
let user: SignedIn;

beforeAll(async () => {
  stack = await startTestStack();
  user = await signUp(stack);
});
afterAll(() => stack.stop());

const answerSchema = z.object({
  state: z.enum(["fenced", "free", "ok", "busy", "full"]),
  usd: z.optional(z.number()),
  cap: z.optional(z.string()),
  capUsd: z.optional(z.number()),
});

let slugs = 0;

async function publish(limits: object): Promise<{ workflow: string; slug: string }> {
  const workflow = String((await plant(stack, "studio_workflows", user)).id);
  const slug = `booked-${(slugs += 1)}`;
  const { error } = await user.client.rpc("studio_publish", {
    p_workflow_id: workflow,
    p_document: { nodes: {} },
    p_workflows: {},
    p_hash: "0".repeat(64),
    p_schedules: [],
    p_slug: slug,
    p_note: "",
    p_revision: 1,
    p_target: "live",
  });
  if (error) throw new Error(error.message);
  await user.client.rpc("studio_set_publication", { p_workflow_id: workflow, p_limits: limits, p_on_failure: null });
  return { workflow, slug };
}

async function makeKey(limits: object): Promise<string> {
  const { data } = await user.client.rpc("studio_make_api_key", { p_name: "k", p_scopes: ["run:*"], p_limits: limits });
  return String(data.id);
}

/** A run that a worker has. */
async function begin(workflow: string, key: string | null = null): Promise<string> {
  const [row] = await stack.sql<{ id: string }>(
    `insert into public.studio_runs (owner, workflow_id, status, source, published_version, attempt, api_key_id, input)
     values ($1, $2, 'running', 'api', 1, 1, $3, '{"value": {}}') returning id`,
    [user.userId, workflow, key],
  );
  return String(row?.id);
}

async function book(run: string, attempt: number, spent: number, booked: number, cost?: [number, number]) {
  const [row] = await stack.sql<{ answer: unknown }>(
    "select private.studio_book_call($1, $2, $3, $4, $5, $6) as answer",
    [run, attempt, spent, booked, cost?.[0] ?? null, cost?.[1] ?? null],
  );
  return answerSchema.parse(row?.answer);
}

const sumOf = async (text: string, ...parameters: unknown[]) => {
  const [row] = await stack.sql<{ sum: string | null }>(text, parameters);
  return Number(row?.sum ?? 0);
};
const spentOf = (workflow: string) =>
  sumOf("select sum(usd) as sum from private.studio_spending where workflow_id = $1", workflow);
const bookedOf = (workflow: string) =>
  sumOf("select sum(usd) as sum from private.studio_booked_calls where workflow_id = $1", workflow);
/** What is settled and what is booked, of two workflows and of a key. */
async function totalsOf(first: string, second: string, key: string): Promise<number[]> {
  const [row] = await stack.sql<{ totals: string[] }>(
    `select array[
      coalesce((select sum(usd) from private.studio_spending where workflow_id = $1), 0)
        + coalesce((select sum(usd) from private.studio_booked_calls where workflow_id = $1), 0),
      coalesce((select sum(usd) from private.studio_spending where workflow_id = $2), 0)
        + coalesce((select sum(usd) from private.studio_booked_calls where workflow_id = $2), 0),
      coalesce((select sum(usd) from private.studio_key_spending where key_id = $3), 0)
        + coalesce((select sum(usd) from private.studio_booked_calls where api_key_id = $3), 0)
    ]::text[] as totals`,
    [first, second, key],
  );
  return (row?.totals ?? []).map(Number);
}

/** What happens to one of four runs: two of each workflow, two of them with the key. */
const step = fc.record({
  run: fc.integer({ min: 0, max: 3 }),
  does: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ book: fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 12 })) }),
    },
    // A share of what was booked is what the call really takes.
    { weight: 5, arbitrary: fc.record({ settle: fc.integer({ min: 0, max: 100 }) }) },
    { weight: 1, arbitrary: fc.constant("crash" as const) },
    { weight: 1, arbitrary: fc.constantFrom("lose" as const, "delete" as const, "finish" as const) },
  ),
});

const limits = { runUsd: 9, dayUsd: 14, monthUsd: 20 };
const keyLimits = { dayUsd: 11, monthUsd: 16 };

it("S92 no order of parallel runs passes a limit of a run, a workflow or a key", async () => {
  const [first, second, key] = await Promise.all([publish(limits), publish(limits), makeKey(keyLimits)]);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24 }), async (steps) => {
      for (const table of ["public.studio_runs", "private.studio_spending", "private.studio_key_spending"])
        await stack.sql(`delete from ${table}`);
      const places = [first, first, second, second];
      const open = (index: number) => begin(places[index]?.workflow ?? "", index % 2 === 0 ? key : null);
      const runs = await Promise.all(
        places.map(async (_, index) => ({ id: await open(index), attempt: 1, spent: 0, calls: [] as number[] })),
      );
      for (const { run: index, does } of steps) {
        const run = runs[index];
        if (!run) continue;
        const underWay = run.calls.reduce((sum, usd) => sum + usd, 0);
        if (typeof does === "object" && "book" in does) {
          const [min, more] = does.book;
          const answer = await book(run.id, run.attempt, run.spent, underWay, [min, min + more]);
          if (answer.state === "ok") run.calls.push(answer.usd ?? 0);
          else expect(["busy", "full"]).toContain(answer.state);
        } else if (typeof does === "object") {
          const usd = run.calls.shift();
          if (usd === undefined) continue;
          run.spent += (usd * does.settle) / 100;
          await book(run.id, run.attempt, run.spent, underWay - usd);
        } else if (does === "crash") {
          // The next attempt counts what was under way as it reads it from the log.
          run.attempt += 1;
          await stack.sql("update public.studio_runs set attempt = attempt + 1 where id = $1", [run.id]);
          expect(await book(run.id, run.attempt - 1, run.spent, 0, [1, 1])).toEqual({ state: "fenced" });
          run.spent += underWay;
          run.calls = [];
        } else {
          // However it ends, what nobody settled counts.
          if (does === "delete") await stack.sql("delete from public.studio_runs where id = $1", [run.id]);
          else await stack.sql("update public.studio_runs set status = 'failed' where id = $1", [run.id]);
          runs[index] = { id: await open(index), attempt: 1, spent: 0, calls: [] };
        }
        const [ofFirst, ofSecond, ofKey] = await totalsOf(first.workflow, second.workflow, key);
        expect(Math.max(ofFirst ?? 0, ofSecond ?? 0)).toBeLessThanOrEqual(limits.dayUsd + 1e-6);
        expect(ofKey).toBeLessThanOrEqual(keyLimits.dayUsd + 1e-6);
        for (const { spent: own, calls } of runs)
          expect(calls.reduce((sum, usd) => sum + usd, own)).toBeLessThanOrEqual(limits.runUsd + 1e-6);
      }
    }),
    { numRuns: 12 },
  );
});

it("S92 books what a limit leaves, waits for calls under way, and says which limit is full", async () => {
  const { workflow } = await publish({ dayUsd: 10 });
  const [one, two] = [await begin(workflow), await begin(workflow)];
  expect(await book(one, 1, 0, 0, [1, 50])).toEqual({ state: "ok", usd: 10 });
  expect(await book(two, 1, 0, 0, [1, 5])).toEqual({ state: "busy" });
  await book(one, 1, 3, 0);
  expect(await book(two, 1, 0, 0, [1, 5])).toEqual({ state: "ok", usd: 5 });
  await book(two, 1, 5, 0);
  expect(await book(one, 1, 3, 0, [2, 5])).toEqual({ state: "ok", usd: 2 });
  expect(await book(two, 1, 5, 0, [3, 5])).toEqual({ state: "full", cap: "day", capUsd: 10 });
  const free = await publish({});
  expect(await book(await begin(free.workflow), 1, 0, 0, [1, 5])).toEqual({ state: "free" });
});

it("S92 a booking that was lost with its worker counts, and one that was settled does not count twice", async () => {
  const { workflow } = await publish({ dayUsd: 10 });
  const [lost, settled, deleted] = [await begin(workflow), await begin(workflow), await begin(workflow)];
  await book(lost, 1, 1, 0, [2, 2]);
  await book(settled, 1, 0, 0, [2, 2]);
  await book(settled, 1, 0.5, 0);
  await book(deleted, 1, 0, 0, [1, 1]);
  await stack.sql("update public.studio_runs set status = 'failed' where id = any($1)", [[lost, settled]]);
  await stack.sql("delete from public.studio_runs where id = $1", [deleted]);
  expect([await spentOf(workflow), await bookedOf(workflow)]).toEqual([4.5, 0]);
  // A workflow that goes takes its spending along.
  const open = await begin(workflow);
  await book(open, 1, 0, 0, [1, 1]);
  await stack.sql("delete from public.studio_workflows where id = $1", [workflow]);
  expect([await spentOf(workflow), await bookedOf(workflow)]).toEqual([0, 0]);
});

it("S92 goes on with what was published without a price, marks it and tells once, until something is published or limited", async () => {
  const told = await publish({});
  const { workflow, slug } = await publish({ dayUsd: 10 });
  await user.client.rpc("studio_set_publication", {
    p_workflow_id: workflow,
    p_limits: { dayUsd: 10 },
    p_on_failure: { workflowId: told.workflow },
  });
  const check = async (run: string) => {
    const [row] = await stack.sql<{ answer: unknown }>("select private.studio_check_unknown_prices($1, $2) as answer", [
      run,
      JSON.stringify(["local-model"]),
    ]);
    return row?.answer;
  };
  const mark = async () => {
    const { data } = await user.client.from("studio_publications").select("unknown_prices").eq("workflow_id", workflow);
    return data?.[0]?.["unknown_prices"];
  };
  // What is published now is held to it.
  expect(await check(await begin(workflow))).toEqual({ limited: true, allowed: false });
  await stack.sql("update public.studio_published set allows_unknown_prices = true where workflow_id = $1", [workflow]);
  const old = await begin(workflow);
  for (let time = 0; time < 3; time += 1) expect(await check(old)).toEqual({ limited: true, allowed: true });
  expect(await mark()).toEqual(["local-model"]);
  const notices = await stack.sql<{ input: { value: object } }>(
    "select input from public.studio_runs where workflow_id = $1",
    [told.workflow],
  );
  expect(notices.map(({ input }) => input.value)).toMatchObject([{ kind: "unknown-prices", models: ["local-model"] }]);
  // A key with a limit of its own that is made now is held to it as well.
  expect(await check(await begin(workflow, await makeKey({ dayUsd: 1 })))).toEqual({ limited: true, allowed: false });
  await user.client.rpc("studio_publish", {
    p_workflow_id: workflow,
    p_document: { nodes: {}, edges: {} },
    p_workflows: {},
    p_hash: "1".repeat(64),
    p_schedules: [],
    p_slug: slug,
    p_note: "",
    p_revision: 2,
    p_target: "live",
  });
  expect(await mark()).toBeNull();
  // So is a version of old once it gets its first limit in money.
  const later = await publish({});
  await stack.sql("update public.studio_published set allows_unknown_prices = true where workflow_id = $1", [
    later.workflow,
  ]);
  expect(await check(await begin(later.workflow))).toEqual({ limited: false, allowed: true });
  await user.client.rpc("studio_set_publication", {
    p_workflow_id: later.workflow,
    p_limits: { monthUsd: 5 },
    p_on_failure: null,
  });
  expect(await check(await begin(later.workflow))).toEqual({ limited: true, allowed: false });
});
