import { describe, expect, it } from "vitest";
import type { TrialResult } from "../../engine/evaluation/run/trial-result.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import type { StoredCase, StoredEvaluation, StoredSuite } from "../../stores/services.ts";
import { runSuite, suiteRuns, type SuiteServices } from "./run-suite.ts";

/** A studio with one suite, whose rows are kept in memory. */
function studio(settings: StoredSuite["settings"] = {}) {
  const document = buildWorkflow({
    nodes: { chat: ["chat-trigger"], agent: ["ai-agent"], model: ["demo-model", { streaming: false }] },
    edges: ["chat.main -> agent.main", "model.model -> agent.model"],
  });
  const suite: StoredSuite = { id: crypto.randomUUID(), name: "Talk", workflowId: "workflow-1", settings };
  const cases: StoredCase[] = ["Hello", "My name is Ada"].map((input, index) => ({
    id: String(index),
    case: { id: input, input, assert: [{ type: "finish-reason", value: "completed", weight: 1 }] },
    hasCassette: false,
  }));
  const evaluations: StoredEvaluation[] = [];
  const trials = new Map<string, TrialResult[]>();
  const runs = new Map<string, number>();
  let afterTrial: (() => void) | undefined;
  const service: SuiteServices["evaluations"] = {
    get: () => Promise.resolve(suite),
    cases: () => Promise.resolve(cases),
    cassette: () => Promise.resolve([]),
    begin(_suiteId, digest) {
      const made: StoredEvaluation = {
        id: `e${evaluations.length}`,
        digest,
        status: "running",
        summary: null,
        createdAt: "",
      };
      evaluations.unshift(made);
      trials.set(made.id, []);
      return Promise.resolve(made);
    },
    addTrial(id, result) {
      trials.get(id)?.push(result);
      afterTrial?.();
      return Promise.resolve();
    },
    finish(id, summary) {
      const found = evaluations.find((one) => one.id === id);
      if (found) Object.assign(found, { status: summary.status, summary });
      return Promise.resolve();
    },
    evaluations: () => Promise.resolve(evaluations),
    trials: (id) => Promise.resolve([...(trials.get(id) ?? [])]),
  };
  const services: SuiteServices = {
    evaluations: service,
    workflows: { get: () => Promise.resolve({ document }) },
    runs: {
      start: ({ id }) => Promise.resolve(void runs.set(id, 0)),
      appendEvents: (id, events) => Promise.resolve(void runs.set(id, (runs.get(id) ?? 0) + events.length)),
      finish: () => Promise.resolve(),
    },
    createHost: () => ({ ...testHost(), newId: () => crypto.randomUUID() }),
  };
  return {
    suite,
    cases,
    document,
    evaluations,
    trials,
    runs,
    run: (resume = false) => runSuite(services, suite.id, { resume }),
    stopAfter(count: number) {
      let made = 0;
      afterTrial = () => {
        made += 1;
        if (made === count) suiteRuns.getState().runs[suite.id]?.stop();
      };
    },
  };
}

describe("a suite in the studio", () => {
  it("stores every trial, its run and the result", async () => {
    const { run, suite, evaluations, trials, runs } = studio({ trials: 2 });
    const running = run();
    expect(suiteRuns.getState().runs[suite.id]).toBeUndefined();
    await running;
    expect(evaluations).toMatchObject([{ status: "passed", summary: { planned: 4, suite: "Talk" } }]);
    const results = trials.get("e0") ?? [];
    expect(results.map(({ caseId, trial, status }) => `${caseId} ${trial} ${status}`).toSorted()).toEqual([
      "Hello 1 passed",
      "Hello 2 passed",
      "My name is Ada 1 passed",
      "My name is Ada 2 passed",
    ]);
    expect([...runs.keys()].toSorted()).toEqual(results.map(({ runId }) => runId).toSorted());
    expect(suiteRuns.getState().runs[suite.id]).toBeUndefined();
  });

  it("stays open when it is stopped, and goes on with what it has", async () => {
    const { run, stopAfter, evaluations, trials } = studio({ trials: 3, concurrency: 1 });
    stopAfter(2);
    await run();
    expect(evaluations).toMatchObject([{ status: "running", summary: null }]);
    const kept = (trials.get("e0") ?? []).map(({ runId }) => runId);
    expect(kept).toHaveLength(2);
    stopAfter(Infinity);
    await run(true);
    expect(evaluations).toMatchObject([{ status: "passed" }]);
    const results = trials.get("e0") ?? [];
    expect(results).toHaveLength(6);
    expect(results.slice(0, 2).map(({ runId }) => runId)).toEqual(kept);
  });

  it("begins anew where something else is tried now", async () => {
    const { run, stopAfter, cases, evaluations, trials } = studio({ concurrency: 1 });
    stopAfter(1);
    await run();
    cases.pop();
    stopAfter(Infinity);
    await run(true);
    expect(evaluations.map(({ id, status }) => `${id} ${status}`)).toEqual(["e1 passed", "e0 running"]);
    expect(trials.get("e1")).toHaveLength(1);
  });

  it("says why it cannot run, and then stores nothing", async () => {
    const without = studio();
    without.cases.length = 0;
    await expect(without.run()).rejects.toThrow("no cases");
    await expect(studio({ trials: 0 }).run()).rejects.toThrow('"trials"');
    const broken = studio({ matrix: [{ nodeId: "nobody", model: "x" }] });
    await expect(broken.run()).rejects.toThrow('no node "nobody"');
    expect(broken.evaluations).toEqual([]);
  });
});
