import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestStack, type TestStack } from "../../supabase/local/testing/start-stack.ts";
import { newDocument } from "../engine/document/new-document.ts";
import { summarise } from "../engine/evaluation/result/summarise.ts";
import type { TrialResult } from "../engine/evaluation/run/trial-result.ts";
import { readSuite } from "../engine/evaluation/suite/suite.ts";
import type { RunEvent } from "../engine/run/events.ts";
import { ServiceError } from "../services/services.ts";
import { createAuthService } from "./auth-service.ts";
import { lazyEvaluations } from "./lazy-repositories.ts";
import { createSupabaseClient } from "./supabase-client.ts";
import { createWorkflowRepository } from "./workflow-repository.ts";

let stack: TestStack;
let alice: Awaited<ReturnType<typeof newUser>>;
let bob: Awaited<ReturnType<typeof newUser>>;

async function newUser() {
  const config = { supabaseUrl: stack.url, supabaseKey: stack.key, embedded: true };
  const client = createSupabaseClient(config, { persistSession: false });
  await createAuthService(client, null).enterAsGuest();
  return { workflows: createWorkflowRepository(client), tests: lazyEvaluations(client) };
}

beforeAll(async () => {
  stack = await startTestStack();
  [alice, bob] = await Promise.all([newUser(), newUser()]);
});
afterAll(() => stack.stop());

async function newSuite(name = "Refunds") {
  const { id: workflowId } = await alice.workflows.create(newDocument(randomUUID(), "Shop"));
  return alice.tests.create({ name, workflowId, settings: { trials: 2 } });
}

const trialOf = (rest: Partial<TrialResult>): TrialResult => ({
  variant: "as saved",
  caseId: "a",
  trial: 1,
  status: "passed",
  score: 1,
  reason: "",
  assertions: [],
  answer: "Yes.",
  runId: "r",
  costUsd: 0,
  spentUsd: 0,
  latencyMs: 1,
  tokens: 1,
  misses: 0,
  ...rest,
});

const event: RunEvent = { runId: "r", seq: 0, at: 0, type: "run-start", workflowId: "w", workflowName: "W", input: 1 };

describe("stored suites", () => {
  it("are made, changed, listed with their last result, and deleted with all that is theirs", async () => {
    const suite = await newSuite();
    await alice.tests.save(suite.id, { name: "Refunds 2", settings: { trials: 3 } });
    expect(await alice.tests.get(suite.id)).toEqual({ ...suite, name: "Refunds 2", settings: { trials: 3 } });
    await alice.tests.addCases(suite.id, [{ case: { id: "a", input: "Hi" } }, { case: { id: "b", input: 1 } }]);
    expect(await alice.tests.list()).toMatchObject([
      { id: suite.id, name: "Refunds 2", workflowName: "Shop", cases: 2, lastStatus: null, lastAt: null },
    ]);
    const { id } = await alice.tests.begin(suite.id, "digest");
    await alice.tests.addTrial(id, trialOf({}));
    expect(await alice.tests.list()).toMatchObject([{ lastStatus: "running" }]);
    expect(await alice.tests.ofWorkflow(suite.workflowId)).toMatchObject([{ id: suite.id }]);
    await alice.tests.remove(suite.id);
    expect(await alice.tests.list()).toEqual([]);
    expect(await stack.sql("select * from public.studio_trials where evaluation_id = $1", [id])).toEqual([]);
    await expect(alice.tests.get(suite.id)).rejects.toMatchObject({ kind: "not-found" });
    await expect(alice.tests.save(suite.id, { name: "x" })).rejects.toMatchObject({ kind: "not-found" });
  });

  it("keep cases in order, with and without a recording", async () => {
    const suite = await newSuite();
    const first = { id: "b", input: { message: "Hi" }, expected: "84", source: { runId: "r" }, assert: [] };
    await alice.tests.addCases(suite.id, [{ case: first, cassette: [event] }]);
    await alice.tests.addCases(suite.id, [{ case: { id: "a", input: "Ho" } }]);
    const [b, a] = await alice.tests.cases(suite.id);
    expect([b?.case, b?.hasCassette, a?.case.id, a?.hasCassette]).toEqual([first, true, "a", false]);
    expect(await alice.tests.cassette(b?.id ?? "")).toEqual([event]);
    expect(await alice.tests.cassette(a?.id ?? "")).toEqual([]);
    await expect(alice.tests.addCases(suite.id, [{ case: { id: "a", input: 1 } }])).rejects.toMatchObject({
      kind: "conflict",
    });
    await expect(alice.tests.saveCase(a?.id ?? "", { id: "b", input: 1 })).rejects.toMatchObject({ kind: "conflict" });
    await alice.tests.saveCase(a?.id ?? "", { id: "c", input: "Changed" });
    await alice.tests.removeCase(b?.id ?? "");
    expect(await alice.tests.cases(suite.id)).toMatchObject([{ case: { id: "c", input: "Changed" } }]);
  });

  it("keep each trial at once, and the summary at the end", async () => {
    const suite = await newSuite();
    const evaluation = await alice.tests.begin(suite.id, "digest");
    expect(evaluation).toMatchObject({ status: "running", summary: null, digest: "digest" });
    const results = [trialOf({}), trialOf({ trial: 2, status: "failed" }), trialOf({ trial: 2 })];
    for (const result of results) await alice.tests.addTrial(evaluation.id, result);
    expect(await alice.tests.trials(evaluation.id)).toEqual([results[0], results[2]]);
    const read = readSuite({ workflow: "w", dataset: "d" });
    if (!read.ok) throw new Error("The suite should be readable.");
    const run = { results: results.slice(0, 1), planned: 1 };
    const cases = [{ id: "a", input: 1 }];
    const { trials: _, ...summary } = summarise({ suite: read.suite, name: "s", workflow: "w", cases, run });
    await alice.tests.finish(evaluation.id, summary);
    await alice.tests.begin(suite.id, "another");
    const stored = await alice.tests.evaluations(suite.id, 5);
    expect(stored.map(({ digest, status }) => [digest, status])).toEqual([
      ["another", "running"],
      ["digest", "passed"],
    ]);
    expect(stored[1]?.summary).toEqual(summary);
  });

  it("are their owner's alone", async () => {
    const suite = await newSuite();
    expect(await bob.tests.list()).toEqual([]);
    await expect(bob.tests.get(suite.id)).rejects.toMatchObject({ kind: "not-found" });
    await expect(bob.tests.addCases(suite.id, [{ case: { id: "x", input: 1 } }])).rejects.toBeInstanceOf(ServiceError);
    await expect(bob.tests.begin(suite.id, "digest")).rejects.toBeInstanceOf(ServiceError);
    await bob.tests.remove(suite.id);
    expect(await alice.tests.get(suite.id)).toMatchObject({ id: suite.id });
  });
});
