import { expect, it } from "vitest";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Bundle } from "../../engine/publish/bundle.ts";
import type { JsonObject } from "../../engine/json.ts";
import { publishState, readPublishChecks } from "../../state/evaluation/publish-checks.ts";
import { runPublishChecks } from "./run-publish-checks.ts";
import { suiteRuns } from "./run-suite.ts";
import { suiteStudio } from "./testing/suite-studio.ts";

/** A workflow with one suite that is about to be published over the live version `before`. */
function publishing(settings: JsonObject, before?: WorkflowDocument) {
  const studio = suiteStudio(settings);
  const services = {
    ...studio.services,
    evaluations: { ...studio.services.evaluations, ofWorkflow: () => Promise.resolve([studio.suite]) },
    publications: { document: () => Promise.resolve(before ?? studio.document) },
  };
  const bundle = (changes: Partial<Bundle> = {}): Bundle => ({
    document: studio.document,
    workflows: {},
    hash: "",
    schedules: [],
    ...changes,
  });
  const read = (made = bundle()) => readPublishChecks(services, made, before ? 1 : null);
  return { studio, bundle, read, run: async (made = bundle()) => runPublishChecks(services, await read(made)) };
}

it("runs what has no result for exactly this version, and counts what was run on the page", async () => {
  const { studio, bundle, read, run } = publishing({});
  expect(publishState(await read())).toBe("to-run");
  await studio.run();
  expect(publishState(await read())).toBe("passed");
  const inner = bundle({ workflows: { other: studio.document } });
  expect(publishState(await read(inner))).toBe("to-run");
  expect(await run(inner)).toBe(true);
  expect(publishState(await read(inner))).toBe("passed");
  studio.suite.settings = { trials: 3 };
  expect(publishState(await read())).toBe("to-run");
});

it.each([
  ["off", "passed"],
  ["warn", "failed"],
  ["block", "blocked"],
])("a suite that is set to %s leaves publishing %s after a failure", async (mode, state) => {
  const { read, run } = publishing({ publishing: mode, defaultAssert: [{ type: "contains", value: "a unicorn" }] });
  await run();
  expect(publishState(await read())).toBe(state);
});

it("asks nothing of a suite without cases, and judges finished trials by the gate of now", async () => {
  const { studio, read, run } = publishing({ publishing: "block", gate: { passRate: 0.99 } });
  await run();
  expect((await read())[0]?.result?.status).toBe("too-little-evidence");
  studio.suite.settings = { publishing: "block", gate: { passRate: 0.1 } };
  expect(publishState(await read())).toBe("passed");
  studio.cases.length = 0;
  expect(await read()).toEqual([]);
});

it("tests the live version once, where no case may be worse than in it", async () => {
  const settings = { gate: { noWorse: true }, publishing: "block" };
  const { studio, read, run } = publishing(settings);
  const compared = publishing(settings, { ...studio.document, name: "Before" });
  await compared.run();
  expect(compared.studio.evaluations).toHaveLength(2);
  const checks = await compared.read();
  expect(checks[0]?.result?.variants[0]?.comparison?.words).toContain("No difference");
  expect(publishState(checks)).toBe("passed");
  await compared.run();
  expect(compared.studio.evaluations).toHaveLength(3);
  // Nothing is live: there is nothing to be worse than.
  await run();
  expect((await read())[0]?.result?.variants[0]?.gate.checks).toMatchObject([
    { status: "passed" },
    { status: "skipped" },
  ]);
});

it("is left to be run when it is stopped, and refuses while the suite runs elsewhere", async () => {
  const { studio, read, run } = publishing({ concurrency: 1, trials: 300 });
  studio.stopAfter(1);
  expect(await run()).toBe(false);
  expect(publishState(await read())).toBe("to-run");
  studio.stopAfter(Infinity);
  const begun = new Promise<void>((resolve) => {
    const leave = suiteRuns.subscribe(() => {
      leave();
      resolve();
    });
  });
  const elsewhere = studio.run();
  await begun;
  await expect(run()).rejects.toThrow("is already running");
  suiteRuns.getState().runs[studio.suite.id]?.stop();
  await elsewhere;
});
