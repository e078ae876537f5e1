import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { type SharedStack, sharedTestStack } from "../../../../supabase/local/testing/shared-stack.ts";
import { newDocument } from "../../../engine/document/new-document.ts";
import { summarise } from "../../../evaluation/result/summarise.ts";
import type { TrialResult } from "../../../evaluation/run/trial-result.ts";
import { readSuite } from "../../../evaluation/suite/suite.ts";
import type { RunEvent } from "../../../engine/run/events.ts";
import { ServiceError } from "../../../services/services.ts";
import { createAuthService } from "../../account/storage/auth-service.ts";
import { createEvaluationRepository } from "./evaluation-repository.ts";
import { createPublicationRepository } from "../../publication/storage/publication-repository.ts";
import { createVersionRepository } from "../../document/storage/version-repository.ts";
import { createSupabaseClient } from "../../shared/storage/supabase-client.ts";
import { createWorkflowRepository } from "../../document/storage/workflow-repository.ts";

let stack: SharedStack;
let alice: Awaited<ReturnType<typeof newUser>>;
let bob: Awaited<ReturnType<typeof newUser>>;

async function newUser() {
  const config = { supabaseUrl: stack.url, supabaseKey: stack.key, embedded: true };
  const client = createSupabaseClient(config, { persistSession: false });
  await createAuthService(client, null).enterAsGuest();
  return {
    workflows: createWorkflowRepository(client),
    tests: createEvaluationRepository(client),
    versions: createVersionRepository(client),
    publications: createPublicationRepository(client),
  };
}

beforeAll(async () => {
  stack = await sharedTestStack();
  [alice, bob] = await Promise.all([newUser(), newUser()]);
});

async function newSuite(name = "Refunds") {
  const { id: workflowId } = await alice.workflows.create(newDocument(randomUUID(), "Shop"));
  return alice.tests.create({ name, workflowId, settings: { trials: 2 } });
}

const saved = { revision: 1, published: null };

/** Begins an evaluation of a suite as it is now. */
async function begin(suiteId: string, digest = "digest") {
  return alice.tests.begin(await alice.tests.get(suiteId), digest, saved);
}

const trialOf = (rest: Partial<TrialResult>): TrialResult => ({
  variant: "as saved",
  caseId: "a",
  trial: 1,
  status: "passed",
  score: 1,
  reason: "",
  assertions: [{ type: "contains", pass: true, score: 1, reason: "", weight: 1 }],
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

describe("an update that checks more", () => {
  it("names the suites that it concerns to their owner, once", async () => {
    const { id: workflowId } = await alice.workflows.create(newDocument(randomUUID(), "Shop"));
    const bare = await alice.tests.create({ name: "Bare", workflowId, settings: {} });
    expect(await alice.tests.changedByUpdate()).toEqual([]);
    const { revision } = await alice.tests.get(bare.id);
    await stack.sql(`update public.studio_suites set checks_changed = true where id = '${bare.id}'`);
    expect(await alice.tests.changedByUpdate()).toEqual([{ id: bare.id, name: "Bare" }]);
    expect(await bob.tests.changedByUpdate()).toEqual([]);
    await bob.tests.settleUpdate();
    expect(await alice.tests.changedByUpdate()).toHaveLength(1);
    await alice.tests.settleUpdate();
    expect(await alice.tests.changedByUpdate()).toEqual([]);
    // It is no change of the suite.
    expect((await alice.tests.get(bare.id)).revision).toBe(revision);
    await alice.tests.remove(bare.id);
  });
});

describe("stored suites", () => {
  it("are made, changed, listed with their last result, and deleted with all that is theirs", async () => {
    const suite = await newSuite();
    await alice.tests.save(suite.id, { name: "Refunds 2", settings: { trials: 3 } });
    expect(await alice.tests.get(suite.id)).toEqual({
      ...suite,
      name: "Refunds 2",
      settings: { trials: 3 },
      revision: 2,
    });
    await alice.tests.addCases(suite.id, [{ case: { id: "a", input: "Hi" } }, { case: { id: "b", input: 1 } }]);
    expect(await alice.tests.list()).toMatchObject([
      { id: suite.id, name: "Refunds 2", workflowName: "Shop", cases: 2, lastStatus: null, lastAt: null },
    ]);
    const { id } = await begin(suite.id);
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
    const evaluation = await begin(suite.id);
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
    await begin(suite.id, "another");
    const stored = await alice.tests.evaluations(suite.id, 5);
    expect(stored.map(({ digest, status }) => [digest, status])).toEqual([
      ["another", "running"],
      ["digest", "passed"],
    ]);
    expect(stored[1]?.summary).toEqual(summary);
  });

  it("become a version when they are run, one for each state, and say what an evaluation measured", async () => {
    const suite = await newSuite();
    await alice.tests.addCases(suite.id, [{ case: { id: "a", input: "Hi" } }]);
    const first = await begin(suite.id);
    expect(first.measured).toEqual({ suite: 1, workflow: saved });
    // The same state is the same version.
    expect((await begin(suite.id)).measured.suite).toBe(1);
    const [a] = await alice.tests.cases(suite.id);
    await alice.tests.saveCase(a?.id ?? "", { id: "a", input: "Changed" });
    const stale = alice.tests.begin(suite, "digest", saved);
    await expect(stale).rejects.toMatchObject({ kind: "conflict", hint: "Run it again, as it is now." });
    const now = await alice.tests.get(suite.id);
    const published = { revision: null, published: 4 };
    expect((await alice.tests.begin(now, "digest", published)).measured).toEqual({ suite: 2, workflow: published });
    expect(await alice.tests.versions(suite.id)).toMatchObject([
      { version: 2, revision: now.revision, cases: 1 },
      { version: 1, cases: 1 },
    ]);
    expect(await alice.tests.version(suite.id, 1)).toEqual({
      name: "Refunds",
      settings: { trials: 2 },
      cases: [{ id: "a", input: "Hi" }],
    });
    await expect(alice.tests.version(suite.id, 9)).rejects.toMatchObject({ kind: "not-found" });
    await expect(bob.tests.version(suite.id, 1)).rejects.toMatchObject({ kind: "not-found" });
  });

  it("come back as they were in a version, with deleted, renamed and recorded cases, and lose nothing of now", async () => {
    const suite = await newSuite();
    const a = { case: { id: "a", input: 1 }, cassette: [event] };
    await alice.tests.addCases(suite.id, [a, { case: { id: "b", input: 2 } }]);
    await begin(suite.id);
    const before = await alice.tests.cases(suite.id);
    const [one, other] = before;
    await alice.tests.removeCase(one?.id ?? "");
    await alice.tests.saveCase(other?.id ?? "", { id: "a", input: 3 });
    await alice.tests.addCases(suite.id, [{ case: { id: "b", input: 4 } }]);
    await alice.tests.save(suite.id, { name: "Later", settings: { trials: 9 } });
    expect(await alice.tests.list()).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: suite.id, cases: 2 })]),
    );
    await expect(bob.tests.restoreVersion(suite.id, 1)).rejects.toBeInstanceOf(ServiceError);
    await expect(alice.tests.restoreVersion(suite.id, 9)).rejects.toMatchObject({ kind: "not-found" });
    expect(await alice.tests.restoreVersion(suite.id, 1)).toBe(2);
    expect(await alice.tests.cases(suite.id)).toEqual(before);
    expect(await alice.tests.cassette(one?.id ?? "")).toEqual([event]);
    expect(await alice.tests.get(suite.id)).toMatchObject({ name: "Refunds", settings: { trials: 2 } });
    await alice.tests.restoreVersion(suite.id, 2);
    expect((await alice.tests.cases(suite.id)).map((each) => each.case)).toEqual([
      { id: "a", input: 3 },
      { id: "b", input: 4 },
    ]);
  });

  it("lose a deleted case for good with the last version that has it", async () => {
    const suite = await newSuite();
    await alice.tests.addCases(suite.id, [{ case: { id: "kept", input: 1 }, cassette: [event] }]);
    await begin(suite.id);
    await alice.tests.addCases(suite.id, [{ case: { id: "never run", input: 1 } }]);
    const rows = () => stack.sql("select name from public.studio_cases where suite_id = $1 order by name", [suite.id]);
    for (const { id } of await alice.tests.cases(suite.id)) await alice.tests.removeCase(id);
    expect(await alice.tests.cases(suite.id)).toEqual([]);
    expect(await rows()).toEqual([{ name: "kept" }]);
    await bob.tests.removeVersion(suite.id, 1);
    expect(await rows()).toEqual([{ name: "kept" }]);
    await alice.tests.removeVersion(suite.id, 1);
    expect(await rows()).toEqual([]);
  });

  it("are remembered by each version of their workflow, kept or published", async () => {
    const suite = await newSuite();
    const { document, revision } = await alice.workflows.get(suite.workflowId);
    const remembered = { id: suite.id, name: "Refunds", version: 1, revision: 1 };
    const kept = await alice.versions.keep(document, { name: "First", reason: "manual", revision });
    expect(kept.suites).toEqual([remembered]);
    await alice.tests.save(suite.id, { name: "Refunds 2" });
    const bundle = { document, workflows: {}, hash: "0".repeat(64), schedules: [] };
    const slug = `shop-${randomUUID().slice(0, 8)}`;
    await alice.publications.publish({ bundle, slug, note: "", revision, target: "live" });
    const [version] = (await alice.publications.versions(suite.workflowId, { limit: 5 })).rows;
    expect(version).toMatchObject({ revision, suites: [{ id: suite.id, name: "Refunds 2", version: 2, revision: 2 }] });
    const [listed] = (await alice.versions.page(suite.workflowId, { limit: 5 })).rows;
    expect(listed?.suites).toEqual([remembered]);
  });

  it("keep the last hundred versions, and those that published ones name", async () => {
    const suite = await newSuite();
    const { document, revision } = await alice.workflows.get(suite.workflowId);
    const bundle = { document, workflows: {}, hash: "1".repeat(64), schedules: [] };
    const slug = `shop-${randomUUID().slice(0, 8)}`;
    await alice.publications.publish({ bundle, slug, note: "", revision, target: "none" });
    // The ones in between, as if they had been kept.
    await stack.sql(
      `insert into public.studio_suite_versions (suite_id, owner, version, revision, name, settings, cases)
       select suite_id, owner, i, -i, name, settings, cases
       from public.studio_suite_versions, generate_series(2, 103) as i where suite_id = $1`,
      [suite.id],
    );
    await alice.tests.save(suite.id, { name: "Newer" });
    expect((await begin(suite.id)).measured.suite).toBe(104);
    const numbers = (await alice.tests.versions(suite.id)).map(({ version }) => version);
    expect(numbers.at(-1)).toBe(1);
    expect(numbers).toHaveLength(101);
    expect(numbers.at(-2)).toBe(5);
  });

  it("are their owner's alone", async () => {
    const suite = await newSuite();
    expect(await bob.tests.list()).toEqual([]);
    await expect(bob.tests.get(suite.id)).rejects.toMatchObject({ kind: "not-found" });
    await expect(bob.tests.addCases(suite.id, [{ case: { id: "x", input: 1 } }])).rejects.toBeInstanceOf(ServiceError);
    await expect(bob.tests.begin(suite, "digest", saved)).rejects.toMatchObject({ kind: "not-found" });
    await bob.tests.remove(suite.id);
    expect(await alice.tests.get(suite.id)).toMatchObject({ id: suite.id });
  });
});
