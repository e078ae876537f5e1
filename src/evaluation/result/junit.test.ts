import { describe, expect, it } from "vitest";
import type { TrialResult } from "../run/trial-result.ts";
import { readCaseList } from "../suite/evaluation-case.ts";
import { readSuite } from "../suite/suite.ts";
import { evaluationSchema } from "./evaluation.ts";
import { toJUnit } from "./junit.ts";
import { summarise } from "./summarise.ts";

const trialOf = (caseId: string, trial: number, status: TrialResult["status"]): TrialResult => ({
  variant: "as saved",
  caseId,
  trial,
  status,
  score: status === "passed" ? 1 : 0,
  reason: status === "passed" ? "" : 'contains: it says <b> & "so"\u0007',
  assertions: status === "unchecked" ? [] : [{ type: "contains", pass: true, score: 1, reason: "", weight: 1 }],
  answer: "",
  runId: "r",
  costUsd: 0,
  spentUsd: 0,
  latencyMs: 500,
  tokens: 1,
  misses: 0,
  ...(status === "excluded" ? { excludedBy: "rate_limit" } : {}),
});

function summaryOf(gate: object | undefined, more: TrialResult[] = []) {
  const suite = readSuite({ workflow: "w", dataset: "d", trials: 2, ...(gate ? { gate } : {}) });
  const cases = readCaseList('[{"id":"a","input":1},{"id":"b & c","input":1},{"id":"d","input":1}]');
  if (!suite.ok || !cases.ok) throw new Error("The suite should be readable.");
  const results = [
    trialOf("b & c", 1, "passed"),
    trialOf("a", 1, "passed"),
    trialOf("a", 2, "passed"),
    trialOf("b & c", 2, "failed"),
    trialOf("d", 1, "excluded"),
    ...more,
  ];
  return summarise({
    suite: suite.suite,
    name: "My suite",
    workflow: "w",
    versions: { suite: "version 3", workflow: 'revision 7 of "w"' },
    cases: [...cases.cases, ...more.map(({ caseId }) => ({ id: caseId, input: 1 }))],
    run: { results, planned: 6 },
  });
}

describe("a result", () => {
  it("is the same after it was stored, in the order of the cases", () => {
    const summary = summaryOf(undefined);
    expect(evaluationSchema.parse(JSON.parse(JSON.stringify(summary)))).toEqual(summary);
    expect(summary.trials.map(({ caseId, trial }) => `${caseId} ${trial}`)).toEqual([
      "a 1",
      "a 2",
      "b & c 1",
      "b & c 2",
      "d 1",
    ]);
    expect(summary.variants[0]?.cases.map(({ state }) => state)).toEqual(["passing", "mixed", "unknown"]);
  });
});

describe("JUnit", () => {
  it("has a test per case, and fails those with a failed trial where there is no gate", () => {
    const xml = toJUnit(summaryOf(undefined));
    expect(xml).toContain('<testsuite name="My suite" tests="3" failures="1" skipped="1" errors="0">');
    expect(xml).toContain(
      '<testcase name="b &amp; c" classname="as saved" time="1.000"><failure message="1 of 2 passed">',
    );
    expect(xml).toContain("Trial 2: contains: it says &lt;b&gt; &amp; &quot;so&quot;</failure>");
    expect(xml).toContain('<property name="suite" value="version 3"/>');
    expect(xml).toContain('<property name="workflow" value="revision 7 of &quot;w&quot;"/>');
    expect(xml).toContain('<skipped message="0 of 0 passed, 1 not counted"/>');
  });

  it("leaves the judgement to the gate where there is one", () => {
    const passing = toJUnit(summaryOf({ passRate: 0 }));
    expect(passing).toContain('tests="4" failures="0" skipped="1"');
    expect(passing).toContain('<testcase name="Gate"');
    expect(toJUnit(summaryOf({ maxCostUsd: 1 }))).toContain('<failure message="failed">passRate: failed.');
    expect(toJUnit(summaryOf({ passRate: 0.9 }))).toContain('<failure message="too-little-evidence">');
  });

  it("says of a case that nothing checked it, which is no pass", () => {
    const xml = toJUnit(summaryOf({ passRate: 0 }, [trialOf("e", 1, "unchecked")]));
    expect(xml).toContain('<skipped message="Nothing was checked, 1 not checked"/>');
    expect(xml).toContain('<failure message="too-little-evidence">checked: too-little-evidence.');
  });
});
