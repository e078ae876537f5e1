import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { type SharedStack, sharedTestStack } from "../../../../supabase/local/testing/shared-stack.ts";
import { newDocument } from "../../../engine/document/new-document.ts";
import type { WorkflowDocument } from "../../../engine/document/workflow-document.ts";
import type { RunEvent } from "../../../engine/run/events.ts";
import { createAuthService } from "../../account/storage/auth-service.ts";
import { createRunRepository } from "../../run/storage/run-repository.ts";
import { createSupabaseClient } from "../../shared/storage/supabase-client.ts";
import { createWorkflowRepository } from "./workflow-repository.ts";

let stack: SharedStack;
let alice: Awaited<ReturnType<typeof newUser>>;
let bob: Awaited<ReturnType<typeof newUser>>;

async function newUser() {
  const config = { supabaseUrl: stack.url, supabaseKey: stack.key, embedded: true };
  const client = createSupabaseClient(config, { persistSession: false });
  await createAuthService(client, null).enterAsGuest();
  return {
    workflows: createWorkflowRepository(client),
    runs: createRunRepository(client),
  };
}

beforeAll(async () => {
  stack = await sharedTestStack();
  [alice, bob] = await Promise.all([newUser(), newUser()]);
});

const place = { version: 1, position: { x: 0, y: 0 } };
const pictured: Pick<WorkflowDocument, "nodes" | "edges"> = {
  nodes: {
    start: { ...place, id: "start", type: "manual-trigger", title: "Start", config: { input: { secret: "text" } } },
    frame: {
      ...place,
      id: "frame",
      type: "group",
      title: "Frame",
      config: { width: 640, height: 320, folded: true, members: ["start"], note: "text" },
    },
  },
  edges: {
    one: { id: "one", from: { node: "start", port: "main" }, to: { node: "frame", port: "main" } },
  },
};
const draft = (name = "Draft") => newDocument(randomUUID(), name);

describe("workflows", () => {
  it("are created, listed newest edit first, and opened as they were", async () => {
    const user = await newUser();
    const first = await user.workflows.create(draft("First"));
    const second = await user.workflows.create(draft("Second"));
    await user.workflows.save({ ...first.document, name: "First, edited" }, first.revision);
    const { rows } = await user.workflows.page({ order: "edited", limit: 10 });
    expect(rows.map(({ name }) => name)).toEqual(["First, edited", "Second"]);
    expect((await user.workflows.get(second.id)).document).toEqual(second.document);
  });

  it("S59 of two saves on one revision, one wins and the other gets what is stored", async () => {
    const stored = await alice.workflows.create(draft());
    const mine = alice.workflows.save({ ...stored.document, name: "Mine" }, stored.revision);
    const theirs = alice.workflows.save({ ...stored.document, name: "Theirs" }, stored.revision);
    const results = await Promise.all([mine, theirs]);
    const winner = results.find((result) => result.ok);
    const loser = results.find((result) => !result.ok);
    expect(winner).toMatchObject({ ok: true, revision: stored.revision + 1 });
    expect(loser).toMatchObject({ ok: false, theirs: { revision: stored.revision + 1 } });
  });

  it("give what a picture needs, without the settings of their nodes, to their owner alone", async () => {
    const { nodes, edges } = pictured;
    const stored = await alice.workflows.create({ ...draft(), nodes, edges });
    const outline = await alice.workflows.outline(stored.id);
    expect(outline.edges).toEqual(edges);
    expect(outline.nodes).toEqual({
      start: { ...nodes["start"], config: {} },
      frame: { ...nodes["frame"], config: { width: 640, height: 320, folded: true, members: ["start"] } },
    });
    const words = "This workflow has no picture.";
    await expect(bob.workflows.outline(stored.id)).rejects.toMatchObject({ kind: "not-found", message: words });
    await expect(bob.workflows.outline(randomUUID())).rejects.toMatchObject({ kind: "not-found" });
  });

  it("are gone after removal and back after restoring", async () => {
    const stored = await alice.workflows.create(draft());
    await alice.workflows.remove(stored.id);
    expect((await alice.workflows.list()).map(({ id }) => id)).not.toContain(stored.id);
    await expect(alice.workflows.get(stored.id)).rejects.toMatchObject({ kind: "not-found" });
    await expect(alice.workflows.save(stored.document, stored.revision)).rejects.toMatchObject({ kind: "not-found" });
    await alice.workflows.restore(stored.id);
    expect((await alice.workflows.get(stored.id)).revision).toBe(stored.revision);
  });

  it("are listed with their description, tags and latest run, and found by the first two", async () => {
    const user = await newUser();
    const plain = await user.workflows.create(draft("Plain"));
    const told = await user.workflows.create({ ...draft("Told"), description: "Answers letters of customers" });
    await user.workflows.setTags(told.id, ["mail", "daily"]);
    await user.workflows.setTags(plain.id, ["daily"]);
    const started = { workflowId: told.id, input: {}, document: told.document };
    for (const [index, id] of [randomUUID(), randomUUID()].entries()) {
      await user.runs.start({ ...started, id, startedAt: Date.parse("2026-06-01T10:00:00Z") + index });
      const end = { output: null, error: null, totalTokens: 0, costUsd: null, endedAt: Date.now() };
      await user.runs.finish(id, { ...end, status: index === 0 ? "failed" : "completed" });
    }
    const page = (request: object) => user.workflows.page({ order: "name", limit: 10, ...request });
    expect((await page({})).rows).toMatchObject([
      { name: "Plain", description: "", tags: ["daily"], lastRun: null, revision: plain.revision },
      {
        name: "Told",
        description: "Answers letters of customers",
        tags: ["mail", "daily"],
        lastRun: { status: "completed", ending: null, startedAt: expect.stringContaining("10:00:00.001") },
        deletedAt: null,
      },
    ]);
    const names = async (request: object) => (await page(request)).rows.map(({ name }) => name);
    expect(await names({ search: "letters customer" })).toEqual(["Told"]);
    expect(await names({ tags: ["daily"] })).toEqual(["Plain", "Told"]);
    expect(await names({ tags: ["daily", "mail"] })).toEqual(["Told"]);
    expect(await user.workflows.tags()).toEqual([
      { tag: "daily", workflows: 2 },
      { tag: "mail", workflows: 1 },
    ]);
    expect(await bob.workflows.tags()).toEqual([]);
    await expect(bob.workflows.setTags(told.id, ["stolen"])).rejects.toMatchObject({ kind: "not-found" });
  });

  it("wait in the trash, latest first, until they are restored, deleted for good, or 30 days have passed", async () => {
    const user = await newUser();
    const [kept, ended, old] = [draft("Kept"), draft("Ended"), draft("Old")];
    for (const document of [kept, ended, old]) await user.workflows.create(document);
    for (const { id } of [old, ended, kept]) await user.workflows.remove(id);
    const trash = async () => (await user.workflows.page({ order: "name", limit: 2, trash: true })).rows;
    const first = await user.workflows.page({ order: "name", limit: 2, trash: true });
    expect(first).toMatchObject({
      total: 3,
      rows: [{ name: "Kept", deletedAt: expect.any(String) }, { name: "Ended" }],
    });
    const second = await user.workflows.page({ order: "name", limit: 2, trash: true, after: first.next ?? null });
    expect(second.rows.map(({ name }) => name)).toEqual(["Old"]);

    const live = await user.workflows.create(draft("Live"));
    await user.workflows.removeForever(live.id);
    expect((await user.workflows.list()).map(({ name }) => name)).toEqual(["Live"]);
    await bob.workflows.removeForever(ended.id);
    expect(await trash()).toHaveLength(2);
    await user.workflows.removeForever(ended.id);
    await user.workflows.restore(kept.id);
    expect((await trash()).map(({ name }) => name)).toEqual(["Old"]);

    await user.workflows.pruneTrash();
    expect(await trash()).toHaveLength(1);
    const age = (days: number) =>
      stack.sql(`update public.studio_workflows set deleted_at = now() - $2 * interval '1 day' where id = $1`, [
        old.id,
        days,
      ]);
    await age(29);
    await user.workflows.pruneTrash();
    expect(await trash()).toHaveLength(1);
    await age(31);
    await bob.workflows.pruneTrash();
    expect(await trash()).toHaveLength(1);
    await user.workflows.pruneTrash();
    expect(await trash()).toEqual([]);
    expect(await stack.sql("select id from public.studio_workflows where id = $1", [old.id])).toEqual([]);
  });

  it("S37 of someone else do not exist", async () => {
    const stored = await alice.workflows.create(draft());
    await expect(bob.workflows.get(stored.id)).rejects.toMatchObject({ kind: "not-found" });
    await expect(bob.workflows.save(stored.document, stored.revision)).rejects.toMatchObject({ kind: "not-found" });
    await expect(bob.workflows.remove(stored.id)).rejects.toMatchObject({ kind: "not-found" });
    await expect(bob.workflows.create(stored.document)).rejects.toMatchObject({ kind: "conflict" });
  });

  it("that are too large are refused in words", async () => {
    const stored = await alice.workflows.create(draft());
    const large = { ...stored.document, name: "x".repeat(201) };
    await expect(alice.workflows.save(large, stored.revision)).rejects.toMatchObject({ kind: "invalid" });
  });
});

const log = (runId: string, seq: number): RunEvent => ({
  runId,
  seq,
  at: 1_700_000_000_000 + seq,
  type: "log",
  level: "info",
  message: `line ${seq}`,
});

async function startRun() {
  const { id: workflowId, document } = await alice.workflows.create(draft());
  const run = { id: randomUUID(), workflowId, input: { message: "hi" }, document, startedAt: 1_700_000_000_000 };
  await alice.runs.start(run);
  return run;
}

describe("runs", () => {
  it("S57 store every event once, however often it is sent, and give thousands back in order", async () => {
    const run = await startRun();
    const events = Array.from({ length: 2_300 }, (_, seq) => log(run.id, seq));
    await alice.runs.start(run);
    await alice.runs.appendEvents(run.id, events.slice(0, 1_500));
    await alice.runs.appendEvents(run.id, events.slice(1_000));
    await alice.runs.appendEvents(run.id, []);
    expect(await alice.runs.events(run.id)).toEqual(events);
  });

  it("are listed newest first, with how they ended", async () => {
    const run = await startRun();
    const later = { ...run, id: randomUUID(), startedAt: run.startedAt + 60_000 };
    await alice.runs.start(later);
    const error = { code: "timeout", message: "Too slow.", hint: "Wait.", retryable: false } as const;
    await alice.runs.finish(run.id, {
      status: "failed",
      output: null,
      error,
      totalTokens: 12,
      costUsd: 0.25,
      endedAt: run.startedAt + 1_000,
    });
    const [newest, oldest] = await alice.runs.list(run.workflowId, 10);
    expect(newest).toMatchObject({ id: later.id, status: "running", endedAt: null, error: null });
    expect(oldest).toMatchObject({ id: run.id, status: "failed", error, totalTokens: 12, costUsd: 0.25 });
    expect(await alice.runs.list(run.workflowId, 1)).toHaveLength(1);
    expect(await alice.runs.document(run.id)).toEqual(run.document);
  });

  it("keep why an agent stopped early, for lists and for one run", async () => {
    const run = await startRun();
    const ending = { finish: "max_iterations", message: "Stopped after 10 iterations." } as const;
    const end = { status: "completed", output: null, error: null, totalTokens: 1, costUsd: 0, ending } as const;
    await alice.runs.finish(run.id, { ...end, endedAt: run.startedAt + 5 });
    expect(await alice.runs.get(run.id)).toMatchObject({ status: "completed", ending });
    expect(await alice.runs.list(run.workflowId, 1)).toMatchObject([{ id: run.id, ending }]);
  });

  it.each([["a text"], [""], [[1, "two"]], [7], [false], [null], [{ value: { deep: ["x"] } }]])(
    "keep any JSON value as input and output: %j",
    async (value) => {
      const { workflowId, document, startedAt } = await startRun();
      const run = { id: randomUUID(), workflowId, input: value, document, startedAt };
      await alice.runs.start(run);
      const end = { status: "completed", output: value, error: null, totalTokens: 0, costUsd: 0 } as const;
      await alice.runs.finish(run.id, { ...end, endedAt: startedAt + 5 });
      expect(await alice.runs.get(run.id)).toMatchObject({ input: value, output: value });
    },
  );

  it("S37 of someone else are empty", async () => {
    const run = await startRun();
    await alice.runs.appendEvents(run.id, [log(run.id, 0)]);
    expect(await bob.runs.list(run.workflowId, 10)).toEqual([]);
    expect(await bob.runs.events(run.id)).toEqual([]);
    await expect(bob.runs.appendEvents(run.id, [log(run.id, 1)])).rejects.toMatchObject({ name: "ServiceError" });
    expect(await alice.runs.events(run.id)).toHaveLength(1);
  });
});
