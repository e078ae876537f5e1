import { describe, expect, it } from "vitest";
import { openSuite } from "../../state/evaluation/open-suite.ts";
import { runVersion, suiteRuns } from "./run-suite.ts";
import { suiteStudio } from "./testing/suite-studio.ts";

describe("a suite in the studio", () => {
  it("stores every trial, its run and the result", async () => {
    const { run, suite, evaluations, trials, runs } = suiteStudio({ trials: 2 });
    const running = run();
    expect(suiteRuns.getState().runs[suite.id]).toBeUndefined();
    await running;
    const measured = { suite: "version 1", workflow: "revision 7" };
    expect(evaluations).toMatchObject([{ status: "passed", summary: { planned: 4, suite: "Talk", measured } }]);
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

  it("runs once where it is started again before it has begun", async () => {
    const { run, evaluations, trials } = suiteStudio();
    await Promise.all([run(), run()]);
    expect(evaluations).toMatchObject([{ id: "e0", status: "passed" }]);
    expect(trials.get("e0")).toHaveLength(2);
    await run();
    expect(evaluations).toHaveLength(2);
  });

  it("refuses one version while another is about to be tried", async () => {
    const { run, services, suite, evaluations } = suiteStudio();
    const version = await openSuite(services, suite.id);
    const running = run();
    await expect(runVersion(services, version, { resume: true })).rejects.toMatchObject({ kind: "conflict" });
    await running;
    expect(evaluations).toHaveLength(1);
  });

  it("stays open when it is stopped, and goes on with what it has", async () => {
    const { run, stopAfter, evaluations, trials } = suiteStudio({ trials: 3, concurrency: 1 });
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

  it("compares meanings by the embeddings that its settings name, and says when it has none", async () => {
    const defaultAssert = [{ type: "similar", value: "Hello there", threshold: 0.01 }];
    const embeddings = { provider: "demo", model: "words-256", credential: "" };
    const without = suiteStudio({ defaultAssert }).run();
    await expect(without).rejects.toMatchObject({ message: expect.stringContaining('"similar" needs "embeddings"') });
    const { run, trials } = suiteStudio({ defaultAssert, embeddings });
    await run();
    const isSimilar = ({ type }: { type: string }) => type === "similar";
    // Both were compared, and the greeting is closer.
    const [hello = 0, ada = 0] = ["Hello", "My name is Ada"].map(
      (caseId) => (trials.get("e0") ?? []).find((trial) => trial.caseId === caseId)?.assertions.find(isSimilar)?.score,
    );
    expect(hello).toBeGreaterThan(ada);
  });

  it("begins anew where something else is tried now", async () => {
    const { run, stopAfter, cases, evaluations, trials } = suiteStudio({ concurrency: 1 });
    stopAfter(1);
    await run();
    cases.pop();
    stopAfter(Infinity);
    await run(true);
    expect(evaluations.map(({ id, status }) => `${id} ${status}`)).toEqual(["e1 passed", "e0 running"]);
    expect(trials.get("e1")).toHaveLength(1);
  });

  describe("with calls that no recording has", () => {
    const settings = {
      replay: "tools",
      onMiss: "ask",
      concurrency: 1,
      defaultAssert: [{ type: "contains", value: "84" }],
    };

    /** A suite with one case, in which the demo model calls the calculator. */
    function askingStudio() {
      const studio = suiteStudio(settings);
      studio.cases.splice(0, 2, { id: "0", case: { id: "sum", input: "What is 12 * 7?" }, hasCassette: false });
      const asks = () => suiteRuns.getState().runs[studio.suite.id]?.asks ?? [];
      return { ...studio, asks };
    }

    it.each([
      [true, "passed"],
      [false, "failed"],
    ])("makes them or not as the person says: %s", async (isMade, status) => {
      const { run, asks, trials } = askingStudio();
      const running = run(false, true);
      await expect.poll(asks).toMatchObject([{ toolName: "calculator", input: { expression: expect.any(String) } }]);
      asks()[0]?.decide(isMade);
      expect(asks()).toEqual([]);
      await running;
      expect(trials.get("e0")).toMatchObject([{ status }]);
    });

    it("is not held by an open question when it is stopped, and fails where nobody looks on", async () => {
      const { run, asks, suite, trials } = askingStudio();
      const running = run(false, true);
      await expect.poll(asks).toHaveLength(1);
      suiteRuns.getState().runs[suite.id]?.stop();
      await running;
      expect(trials.get("e0")).toEqual([]);
      const alone = askingStudio();
      await alone.run();
      expect(alone.trials.get("e0")).toMatchObject([
        { status: "failed", reason: expect.stringContaining("no recording") },
      ]);
    });
  });

  it("says why it cannot run, and then stores nothing", async () => {
    const without = suiteStudio();
    without.cases.length = 0;
    await expect(without.run()).rejects.toThrow("no cases");
    await expect(suiteStudio({ trials: 0 }).run()).rejects.toThrow('"trials"');
    const broken = suiteStudio({ matrix: [{ nodeId: "nobody", model: "x" }] });
    await expect(broken.run()).rejects.toThrow('no node "nobody"');
    expect(broken.evaluations).toEqual([]);
  });
});
