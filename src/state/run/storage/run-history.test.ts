import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { type SharedStack, sharedTestStack } from "../../../../supabase/local/testing/shared-stack.ts";
import { newDocument } from "../../../engine/document/new-document.ts";
import type { Json } from "../../../engine/json.ts";
import type { RunStatus } from "../../../engine/run/run-state.ts";
import { type CostSum, defaultRetention, type ModelSpending } from "../../../services/services.ts";
import { createAuthService } from "../../account/storage/auth-service.ts";
import { createRunRepository } from "./run-repository.ts";
import { createSupabaseClient } from "../../shared/storage/supabase-client.ts";
import { createWorkflowRepository } from "../../document/storage/workflow-repository.ts";

let stack: SharedStack;

beforeAll(async () => {
  stack = await sharedTestStack();
});

/** A user with a workflow, and a way to store runs of it. */
async function newUser(name = "Weather") {
  const client = createSupabaseClient(
    { supabaseUrl: stack.url, supabaseKey: stack.key, embedded: true },
    { persistSession: false },
  );
  const { id: userId } = await createAuthService(client, null).enterAsGuest();
  const runs = createRunRepository(client);
  const workflows = createWorkflowRepository(client);
  const { id: workflowId, document } = await workflows.create(newDocument(randomUUID(), name));

  async function store(startedAt: string, options: Partial<StoredRun> = {}): Promise<string> {
    const { input = {}, status = "completed", spending, forkedFrom, isTrial, of = workflowId } = options;
    const id = randomUUID();
    const at = Date.parse(startedAt);
    const rest = { ...(forkedFrom ? { forkedFrom } : {}), ...(isTrial ? { isTrial } : {}) };
    await runs.start({ id, workflowId: of, input, document, startedAt: at, ...rest });
    if (status === "running") return id;
    const end = { status, output: null, error: null, totalTokens: 0, costUsd: 0, endedAt: at + 10 };
    await runs.finish(id, { ...end, ...(spending ? { spending } : {}) });
    return id;
  }
  return { runs, workflows, workflowId, userId, store };
}

interface StoredRun {
  input: Json;
  status: RunStatus;
  spending: readonly ModelSpending[];
  forkedFrom: { runId: string; seq: number; callId: string };
  isTrial: boolean;
  of: string;
}

const ended = {
  status: "completed",
  error: null,
  totalTokens: 0,
  costUsd: 0,
  endedAt: Date.parse("2026-05-01T11:00:00Z"),
} as const;

const minute = (count: number) => new Date(Date.parse("2026-05-01T10:00:00Z") + count * 60_000).toISOString();

describe("the history", () => {
  it("carries only the beginning of large inputs, and no output, however it is asked for", async () => {
    const { runs, store, workflowId } = await newUser();
    const long = Array.from({ length: 4_000 }, () => randomUUID()).join(" ");
    await store(minute(0), { input: { message: `🙂 ${long}`, sessionId: "s" } });
    await store(minute(1), { input: `Say ${long}` });
    await store(minute(2), { input: { rows: long.split(" ") } });
    const small = { message: "short", more: [1, 2] };
    const last = await store(minute(3), { input: small });
    await runs.finish(last, { ...ended, output: { text: long } });
    const { runs: page } = await runs.page({}, 10);
    const listed = await runs.list(workflowId, 10);
    for (const found of [page, listed]) {
      expect(found.map(({ output }) => output)).toEqual([null, null, null, null]);
      expect(found[0]?.input).toEqual(small);
      expect(found[1]?.input).toMatch(/^\{"rows": \["/);
      expect(found[2]?.input).toMatch(/^Say /);
      expect(found[3]?.input).toEqual({ message: `🙂 ${long}`.slice(0, 301) });
      expect(JSON.stringify(found).length).toBeLessThan(4_000);
    }
    expect((await runs.get(last)).output).toEqual({ text: long });
    expect((await runs.page({ text: long.slice(-36) }, 10)).runs).toHaveLength(3);
  });

  it("gives the ended runs of a conversation in order, and says which of them a memory was told of", async () => {
    const { runs, store, workflowId } = await newUser();
    const input = (message: Json) => ({ message, sessionId: "s" });
    const error = { code: "model_error", message: "No.", hint: "Try.", retryable: false } as const;
    const failed = await store(minute(0), { input: input("One"), status: "running" });
    await runs.finish(failed, { ...ended, output: null, status: "failed", error });
    const stopped = await store(minute(1), { input: input("Two"), status: "running" });
    const place = { runId: stopped, seq: 0, at: 0, nodeId: "a", memoryNodeId: "m", edgeId: "e", session: "s" };
    const saved = { ...place, type: "memory-save", messages: 2, durationMs: 1 } as const;
    await runs.finish(stopped, { ...ended, output: null, status: "cancelled" }, [saved]);
    const done = await store(minute(2), { input: input({ not: "a text" }), status: "running" });
    await runs.finish(done, { ...ended, output: { response: "3" } });
    await store(minute(3), { input: input("Four"), status: "running" });
    await store(minute(4), { input: { message: "Other", sessionId: "t" } });
    await store(minute(5), { input: input("Trial"), isTrial: true });
    expect(await runs.ofConversation(workflowId, "s")).toMatchObject([
      { id: failed, status: "failed", question: "One", error, isRemembered: false },
      { id: stopped, status: "cancelled", question: "Two", isRemembered: true },
      { id: done, status: "completed", question: null, output: { response: "3" } },
    ]);
    expect(await (await newUser()).runs.ofConversation(workflowId, "s")).toEqual([]);
  });

  it("gives the runs of all workflows page by page, newest first", async () => {
    const { runs, store, workflows } = await newUser();
    const other = await workflows.create(newDocument(randomUUID(), "Other"));
    const stored: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      stored.unshift(await store(minute(count), count === 2 ? { of: other.id } : {}));
    }
    // Two that began in the same millisecond are told apart.
    const twin = await store(minute(4));
    const seen: string[] = [];
    const names = new Set<string>();
    for (let after, first = true; first || after; first = false) {
      const page = await runs.page({}, 2, after ?? undefined);
      for (const run of page.runs) {
        seen.push(run.id);
        names.add(run.workflowName);
      }
      expect(page.runs.length).toBeLessThanOrEqual(2);
      after = page.next;
    }
    expect(new Set(seen)).toEqual(new Set([...stored, twin]));
    expect(seen).toHaveLength(6);
    expect(seen.slice(2)).toEqual(stored.slice(1));
    expect(names).toEqual(new Set(["Weather", "Other"]));
  });

  it("filters by workflow, status, words of the input and time", async () => {
    const { runs, store, workflows } = await newUser();
    const other = await workflows.create(newDocument(randomUUID(), "Other"));
    const question = await store(minute(0), { input: { message: 'Is "Oslo" 100%_cold?\nTell me' } });
    const failed = await store(minute(1), { status: "failed", input: { message: "In Bergen?" } });
    const elsewhere = await store(minute(2), { of: other.id });
    const ids = async (filter: Parameters<typeof runs.page>[0]) =>
      (await runs.page(filter, 50)).runs.map((run) => run.id);
    expect(await ids({ workflowId: other.id })).toEqual([elsewhere]);
    expect(await ids({ statuses: ["failed", "cancelled"] })).toEqual([failed]);
    expect(await ids({ text: "oslo" })).toEqual([question]);
    expect(await ids({ text: '"OSLO" 100%_COLD?\nTell' })).toEqual([question]);
    expect(await ids({ text: "Oslo 100" })).toEqual([]);
    expect(await ids({ from: minute(1), to: minute(2) })).toEqual([failed]);
    expect(await ids({ from: minute(1), statuses: ["completed"] })).toEqual([elsewhere]);
  });

  it("gives one run, and says so when it is not there or belongs to somebody else", async () => {
    const [alice, bob] = [await newUser(), await newUser()];
    const id = await alice.store(minute(0));
    expect(await alice.runs.get(id)).toMatchObject({ id, workflowId: alice.workflowId });
    await expect(alice.runs.get(randomUUID())).rejects.toMatchObject({ kind: "not-found" });
    await expect(bob.runs.get(id)).rejects.toMatchObject({ kind: "not-found" });
  });

  it("keeps where a run was forked off", async () => {
    const { runs, store, workflowId } = await newUser();
    const first = await store(minute(0));
    const forkedFrom = { runId: first, seq: 7, callId: "call_1" };
    await store(minute(1), { forkedFrom });
    expect((await runs.list(workflowId, 5)).map((run) => run.forkedFrom)).toEqual([forkedFrom, null]);
  });

  it("tells runs of tests apart, and lists a workflow's without them", async () => {
    const { runs, store, workflowId } = await newUser();
    const own = await store(minute(0));
    const trial = await store(minute(1), { isTrial: true });
    const listed = async (filter: Parameters<typeof runs.page>[0]) =>
      (await runs.page(filter, 10)).runs.map(({ id, isTrial }) => [id, isTrial]);
    expect(await listed({})).toEqual([
      [trial, true],
      [own, false],
    ]);
    expect(await listed({ trials: true })).toEqual([[trial, true]]);
    expect(await listed({ trials: false, workflowId })).toEqual([[own, false]]);
    expect((await runs.list(workflowId, 10)).map(({ id }) => id)).toEqual([own]);
    expect(await runs.get(trial)).toMatchObject({ isTrial: true });
    expect(await runs.removeAll({ trials: true })).toBe(1);
    expect(await listed({})).toEqual([[own, false]]);
  });

  it("deletes one, many and all that fit, with their events, but nothing that is running", async () => {
    const { runs, store, workflowId } = await newUser();
    const [one, two, three] = [await store(minute(0)), await store(minute(1)), await store(minute(2))];
    const running = await store(minute(3), { status: "running" });
    await runs.appendEvents(one, [{ runId: one, seq: 0, at: 1, type: "log", level: "info", message: "x" }]);
    await runs.remove([one, randomUUID()]);
    await runs.remove([]);
    expect(await runs.events(one)).toEqual([]);
    const left = async () => (await runs.list(workflowId, 10)).map((run) => run.id);
    expect(await left()).toEqual([running, three, two]);
    expect(await runs.removeAll({ text: "nothing of the kind" })).toBe(0);
    expect(await runs.removeAll({ to: minute(2) })).toBe(1);
    expect(await runs.removeAll({})).toBe(1);
    expect(await left()).toEqual([running]);
  });

  it("S40 shows and deletes nothing of anyone else", async () => {
    const [alice, bob] = [await newUser(), await newUser()];
    const own = await alice.store(minute(0), {
      input: { message: "mine" },
      spending: [{ provider: "p", model: "m", calls: 1, inputTokens: 1, outputTokens: 1, costUsd: 1 }],
    });
    const range = { from: minute(-10), to: minute(10), timeZone: "UTC", most: 9 };
    expect((await bob.runs.page({ workflowId: alice.workflowId }, 10)).runs).toEqual([]);
    expect(await bob.runs.costs(range)).toMatchObject({
      total: { runs: 0, costUsd: 0 },
      days: [],
      workflows: [],
      models: [],
    });
    await bob.runs.remove([own]);
    expect(await bob.runs.removeAll({})).toBe(0);
    await bob.runs.setRetention({ keepDays: 1, keepRuns: 1 });
    expect((await alice.runs.list(alice.workflowId, 10)).map((run) => run.id)).toEqual([own]);
    expect(await alice.runs.retention()).toEqual(defaultRetention);
  });
});

describe("retention", () => {
  it("keeps the newest so many, at once and at every start", async () => {
    const { runs, store, workflowId } = await newUser();
    const stored = [await store(minute(0)), await store(minute(1)), await store(minute(2))];
    await runs.setRetention({ keepDays: null, keepRuns: 2 });
    expect(await runs.retention()).toEqual({ keepDays: null, keepRuns: 2 });
    const left = async () => (await runs.list(workflowId, 10)).map((run) => run.id);
    expect(await left()).toEqual([stored[2], stored[1]]);
    const fourth = await store(minute(3));
    expect(await left()).toEqual([fourth, stored[2]]);
    await runs.setRetention({ keepDays: null, keepRuns: null });
    await store(minute(4));
    expect(await left()).toHaveLength(3);
  });

  it("keeps as many runs of tests as of others, so that a long test drives nothing out", async () => {
    const { runs, store } = await newUser();
    const own = [await store(minute(0)), await store(minute(1))];
    for (let count = 2; count < 6; count += 1) await store(minute(count), { isTrial: true });
    await runs.setRetention({ keepDays: null, keepRuns: 2 });
    const left = (await runs.page({}, 10)).runs;
    expect(left.map(({ isTrial }) => isTrial)).toEqual([true, true, false, false]);
    expect(left.slice(2).map(({ id }) => id)).toEqual([own[1], own[0]]);
  });

  it("counts before many go, since sums that are wrong must cost nobody a run", async () => {
    const { runs, store, userId, workflowId } = await newUser();
    const stored = [await store(minute(0)), await store(minute(1)), await store(minute(2))];
    await stack.sql("update private.studio_run_sums set runs = runs + 5000 where owner = $1", [userId]);
    expect(await runs.prune()).toBe(0);
    await runs.setRetention({ keepDays: null, keepRuns: 2 });
    expect((await runs.list(workflowId, 10)).map(({ id }) => id)).toEqual([stored[2], stored[1]]);
  });

  it("deletes what is older than so many days, 90 when nothing was chosen", async () => {
    const { runs, store, userId, workflowId } = await newUser();
    const fresh = await store(minute(0));
    const old = async (days: number, status = "completed") => {
      const at = new Date(Date.now() - days * 86_400_000).toISOString();
      await stack.sql(
        `insert into public.studio_runs (owner, workflow_id, status, started_at, updated_at) values ($1, $2, $3, $4, $4)`,
        [userId, workflowId, status, at],
      );
    };
    await old(91);
    await old(91, "running");
    await old(80);
    expect(await runs.prune()).toBe(2);
    await runs.setRetention({ keepDays: 30, keepRuns: null });
    expect((await runs.list(workflowId, 10)).map((run) => run.id)).toEqual([fresh]);
  });

  it("refuses what makes no sense", async () => {
    const { runs } = await newUser();
    await expect(runs.setRetention({ keepDays: 0, keepRuns: null })).rejects.toMatchObject({ kind: "invalid" });
  });
});

describe("spending", () => {
  const used = (model: string, costUsd: number | null, calls = 1): ModelSpending => ({
    provider: "openai",
    model,
    calls,
    inputTokens: 100 * calls,
    outputTokens: 10 * calls,
    costUsd,
  });

  it("sums stored runs by day of the time zone, workflow and model", async () => {
    const { runs, store, workflowId } = await newUser();
    await store("2026-05-01T21:30:00Z", { spending: [used("small", 0.5), used("large", 2)] });
    await store("2026-05-01T22:30:00Z", { spending: [used("small", 0.25, 2)] });
    await store("2026-05-02T08:00:00Z", { spending: [used("small", null)], status: "failed" });
    await store("2026-05-03T08:00:00Z", { spending: [used("small", 9)] });
    const range = { from: "2026-05-01T00:00:00Z", to: "2026-05-03T00:00:00Z", timeZone: "Europe/Oslo", most: 9 };
    const { total, days, workflows, models } = await runs.costs(range);
    expect(total).toMatchObject({
      costUsd: 2.75,
      calls: 5,
      unpricedCalls: 1,
      inputTokens: 500,
      outputTokens: 50,
      runs: 3,
    });
    expect(
      days.map(({ key, calls, costUsd, unpricedCalls, runs: count }) => [key, calls, costUsd, unpricedCalls, count]),
    ).toEqual([
      ["2026-05-01", 2, 2.5, 0, 1],
      ["2026-05-02", 3, 0.25, 1, 2],
    ]);
    expect(workflows).toEqual([{ ...total, key: workflowId, name: "Weather" }]);
    expect(
      models.map(({ name, provider, calls, costUsd, runs: count }) => [name, provider, calls, costUsd, count]),
    ).toEqual([
      ["large", "openai", 1, 2, 0],
      ["small", "openai", 4, 0.75, 0],
    ]);
  });

  it("adds up the same from sums as from runs, whatever was changed and deleted, for any range and time zone", async () => {
    const { runs, store, workflows, workflowId, userId } = await newUser();
    const { id: other } = await workflows.create(newDocument(randomUUID(), "Other"));
    const start = Date.parse("2026-03-20T11:07:00Z");
    // Forty days in steps of no whole hour, so that quarters of an hour, fortnights and clock changes are crossed.
    const at = (index: number) => new Date(start + index * 19 * 3_600_000 + index * 7 * 60_000).toISOString();
    const stored: string[] = [];
    for (let index = 0; index < 50; index += 1) {
      const spending = index % 7 === 0 ? [] : [used("small", index / 8), used("large", index % 5 === 0 ? null : 1, 2)];
      stored.push(await store(at(index), { of: index % 3 === 0 ? other : workflowId, spending }));
    }
    await runs.remove(stored.filter((_id, index) => index % 4 === 1));
    await runs.finish(stored[2] ?? "", { ...ended, output: null, spending: [used("new", 3)] });
    await stack.sql("update public.studio_runs set started_at = started_at + interval '9 days' where id = $1", [
      stored[8],
    ]);

    const byHand = `
      select count(distinct runs.id)::integer as runs, coalesce(sum((used.value ->> 'calls')::integer), 0)::integer as calls,
        coalesce(sum((used.value ->> 'costUsd')::numeric), 0)::float8 as cost,
        count(distinct (runs.started_at at time zone $4)::date)::integer as days,
        count(distinct runs.workflow_id)::integer as workflows,
        count(distinct used.value ->> 'model')::integer as models
      from public.studio_runs as runs left join lateral jsonb_array_elements(runs.usage) as used (value) on true
      where runs.owner = $1 and runs.started_at >= $2 and runs.started_at < $3`;
    const ranges = [
      ["2026-01-01T00:00:00Z", "2026-12-31T00:00:00Z"],
      ["2026-03-21T00:00:00+05:45", "2026-04-11T00:00:00+05:45"],
      ["2026-03-25T11:03:20Z", "2026-04-19T23:59:59Z"],
      ["2026-03-26T10:00:00Z", "2026-03-26T10:04:00Z"],
      [at(3), at(4)],
      [at(4), at(4)],
    ] as const;
    for (const [from, to] of ranges) {
      for (const timeZone of ["UTC", "Asia/Kathmandu", "America/St_Johns"]) {
        const [wanted] = await stack.sql(byHand, [userId, from, to, timeZone]);
        const { total, days, workflows: each, models } = await runs.costs({ from, to, timeZone, most: 9 });
        const sumOf = (sums: readonly CostSum[]) => sums.reduce((sum, { costUsd }) => sum + costUsd, 0);
        expect({
          runs: total.runs,
          calls: total.calls,
          cost: total.costUsd,
          days: days.length,
          workflows: each.length,
          models: models.length,
        }).toEqual(wanted);
        for (const sums of [days, each, models]) expect(sumOf(sums)).toBeCloseTo(total.costUsd, 9);
      }
    }

    await runs.removeAll({});
    const left = "select count(*)::integer as sums from private.studio_run_sums where owner = $1 and runs + calls > 0";
    expect(await stack.sql(left, [userId])).toEqual([{ sums: 0 }]);
  });

  it("keeps no run from ending, whatever its usage says", async () => {
    const { runs, store, userId } = await newUser();
    const odd = ["text", { calls: "two", costUsd: -4, model: 7 }, { calls: 1e300, model: "m".repeat(5_000) }, null];
    const id = await store(minute(0));
    await stack.sql("update public.studio_runs set usage = $2 where id = $1", [id, JSON.stringify(odd)]);
    const range = { from: minute(-10), to: minute(10), timeZone: "UTC", most: 9 };
    expect((await runs.costs(range)).total).toMatchObject({ runs: 1, calls: 1e9, costUsd: 0 });
    const many = Array.from({ length: 400 }, (_, index) => used(`model ${index}`, 0.5));
    await stack.sql("update public.studio_runs set usage = $2 where id = $1", [id, JSON.stringify(many)]);
    const { total, models } = await runs.costs({ ...range, most: 200 });
    expect([total.calls, total.costUsd, models.length]).toEqual([400, 200, 51]);
    await stack.sql("delete from auth.users where id = $1", [userId]);
    expect(await stack.sql("select from private.studio_run_sums where owner = $1", [userId])).toEqual([]);
  });

  it("give those beyond the dearest one row together, so that each axis adds up", async () => {
    const { runs, store } = await newUser();
    for (const [index, model] of ["a", "b", "c"].entries()) {
      await store(minute(index), { spending: [used(model, index + 1)] });
    }
    const { models } = await runs.costs({ from: minute(0), to: minute(9), timeZone: "UTC", most: 1 });
    expect(models.map(({ key, merged, costUsd }) => [key, merged, costUsd])).toEqual([
      ["c", 1, 3],
      [null, 2, 3],
    ]);
  });

  it("says that a time zone does not exist", async () => {
    const { runs, store } = await newUser();
    await store(minute(0));
    const range = { from: minute(0), to: minute(1), timeZone: "Nowhere/Land", most: 9 };
    await expect(runs.costs(range)).rejects.toMatchObject({ kind: "invalid" });
  });
});
