import { expect, it } from "vitest";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { measureProposal } from "./measure-proposal.ts";
import { suiteRuns } from "./run-suite.ts";
import { suiteStudio } from "./testing/suite-studio.ts";

function measuring(settings = {}) {
  const studio = suiteStudio({ defaultAssert: [{ type: "tool-used", value: ["calculator"] }], ...settings });
  const services = {
    ...studio.services,
    evaluations: { ...studio.services.evaluations, ofWorkflow: () => Promise.resolve([studio.suite]) },
    publications: { document: () => Promise.resolve(studio.document) },
  };
  const asking = (userMessage: string): WorkflowDocument => {
    const draft = structuredClone(studio.document);
    Object.assign(draft.nodes["agent"]?.config ?? {}, { userMessage });
    return draft;
  };
  const measure = (draft: WorkflowDocument, base = studio.document) =>
    measureProposal(services, studio.suite.id, { base, draft });
  return { studio, asking, measure };
}

it("compares both versions case by case, and runs again only what has no result yet", async () => {
  const { studio, asking, measure } = measuring();
  expect(await measure(asking("What is 12 * 3?"))).toMatchObject({ difference: 1, worse: [] });
  expect(studio.evaluations).toHaveLength(2);
  expect(await measure(asking("Hello"))).toMatchObject({ difference: 0 });
  // The workflow as it is was tried before.
  expect(studio.evaluations).toHaveLength(3);
  expect(await measure(studio.document, asking("What is 12 * 3?"))).toMatchObject({ difference: -1 });
});

it("says nothing when it is stopped, and refuses while the suite runs", async () => {
  const { studio, asking, measure } = measuring({ concurrency: 1, trials: 300 });
  studio.stopAfter(1);
  expect(await measure(asking("Hello"))).toBeUndefined();
  studio.stopAfter(Infinity);
  const begun = new Promise<void>((resolve) => {
    const leave = suiteRuns.subscribe(() => {
      leave();
      resolve();
    });
  });
  const elsewhere = studio.run();
  await begun;
  await expect(measure(asking("Hello"))).rejects.toThrow("is already running");
  suiteRuns.getState().runs[studio.suite.id]?.stop();
  await elsewhere;
});
