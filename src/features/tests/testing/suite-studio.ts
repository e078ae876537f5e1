import type { TrialResult } from "../../../evaluation/run/trial-result.ts";
import { buildWorkflow } from "../../../engine/testing/build-workflow.ts";
import { realSleep } from "../../../engine/testing/real-sleep.ts";
import { testHost } from "../../../engine/testing/test-host.ts";
import type { StoredCase, StoredEvaluation, StoredSuite } from "../../../services/services.ts";
import { runSuite, suiteRuns, type SuiteServices } from "../run-suite.ts";

/** A studio with one suite, whose rows are kept in memory. */
export function suiteStudio(settings: StoredSuite["settings"] = {}) {
  const document = buildWorkflow({
    nodes: {
      chat: ["chat-trigger"],
      agent: ["ai-agent"],
      model: ["demo-model", { streaming: false }],
      calculator: ["calculator-tool"],
    },
    edges: ["chat.main -> agent.main", "model.model -> agent.model", "calculator.tool -> agent.tools"],
  });
  const suite: StoredSuite = { id: crypto.randomUUID(), name: "Talk", workflowId: "workflow-1", settings, revision: 1 };
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
    begin({ revision }, digest, workflow) {
      const made: StoredEvaluation = {
        id: `e${evaluations.length}`,
        digest,
        measured: { suite: revision, workflow },
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
  const addEvents = (id: string, count: number) => void runs.set(id, (runs.get(id) ?? 0) + count);
  const services: SuiteServices = {
    evaluations: service,
    workflows: { get: () => Promise.resolve({ document, revision: 7 }) },
    runs: {
      start: ({ id }) => Promise.resolve(void runs.set(id, 0)),
      appendEvents: async (id, events) => addEvents(id, events.length),
      finish: async (id, _end, events = []) => addEvents(id, events.length),
    },
    createHost: () => ({ ...testHost(), sleep: realSleep, newId: () => crypto.randomUUID() }),
  };
  return {
    services,
    suite,
    cases,
    document,
    evaluations,
    trials,
    runs,
    run: (resume = false, attended = false) => runSuite(services, suite.id, { resume, attended }),
    stopAfter(count: number) {
      let made = 0;
      afterTrial = () => {
        made += 1;
        if (made === count) suiteRuns.getState().runs[suite.id]?.stop();
      };
    },
  };
}
