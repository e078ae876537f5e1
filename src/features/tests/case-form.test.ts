import { describe, expect, it } from "vitest";
import type { Assertion } from "../../evaluation/assertions/assertion.ts";
import type { EvaluationCase } from "../../evaluation/suite/evaluation-case.ts";
import { formOf, readCaseForm } from "./case-form.ts";
import { checkKinds, type CheckRow, checkTexts } from "./check-rows.ts";

describe("the form of a case", () => {
  it("gives back what it was given", () => {
    const row = {
      id: "a",
      input: { city: "Oslo" },
      expected: 'Say "hi"',
      metadata: { tier: "gold" },
      source: { runId: "r" },
      assert: [{ type: "contains", value: "x", weight: 1 }],
    };
    expect(readCaseForm(formOf(row), row)).toEqual({ ok: true, case: row });
    expect(formOf({ id: "a", input: { message: "Hi" } }).input).toBe("Hi");
    expect(readCaseForm({ ...formOf(row), expected: "", assert: "" }, row)).toMatchObject({
      case: { id: "a", metadata: { tier: "gold" } },
    });
  });

  it("leaves what was not touched as it is: the step, and values that look like texts", () => {
    const step = { id: "a", input: { message: "Hi" }, start: { node: "n1", call: 3 }, expected: 7 };
    expect(formOf(step).input).toContain('"message": "Hi"');
    expect(readCaseForm({ ...formOf(step), id: "b" }, step)).toEqual({ ok: true, case: { ...step, id: "b" } });
    const number = { id: "a", input: 5, start: { node: "n1" } };
    expect(readCaseForm(formOf(number), number)).toEqual({ ok: true, case: number });
    expect(readCaseForm({ ...formOf(number), input: "6" }, number)).toMatchObject({ case: { input: "6" } });
  });

  it("holds a conversation line by line, or as a list where a message has several lines", () => {
    const talk = { id: "a", input: "Hi", turns: ["And then?", "Why?"] };
    expect(formOf(talk).turns).toBe("And then?\nWhy?");
    expect(readCaseForm(formOf(talk), talk)).toEqual({ ok: true, case: talk });
    const long = { id: "a", input: "Hi", turns: ["Two\nlines"] };
    expect(readCaseForm(formOf(long), long)).toEqual({ ok: true, case: long });
    const played = { id: "a", input: "Hi", user: { goal: "A refund.", maxTurns: 9 } };
    expect(readCaseForm(formOf(played), played)).toEqual({ ok: true, case: played });
    expect(readCaseForm({ ...formOf(talk), turns: "" }, talk)).toEqual({ ok: true, case: { id: "a", input: "Hi" } });
  });

  it("says what is wrong at the field", () => {
    const good = { ...formOf(undefined), id: "a", input: "Hi" };
    const problems = (part: Partial<typeof good>) => {
      const read = readCaseForm({ ...good, ...part });
      return read.ok ? {} : read.problems;
    };
    expect(problems({})).toEqual({});
    expect(problems({ id: " " })).toEqual({ id: "A case needs a name." });
    expect(problems({ input: " " })).toEqual({ input: "A case needs an input." });
    expect(problems({ assert: "[" })).toEqual({ assert: "This is not valid JSON." });
    expect(problems({ turns: "[1]" })).toEqual({ turns: expect.stringContaining("one message per line") });
    expect(problems({ turns: "And?", goal: "A refund." })).toEqual({ goal: expect.stringContaining("not both") });
    expect(problems({ assert: '[{"type":"equal"}]' }).assert).toContain('no assertion "equal"');
  });
});

describe("the checks of a case", () => {
  const base = { id: "a", input: "Hi" };
  const assertionsOf = (form: ReturnType<typeof formOf>, before?: EvaluationCase, defaults: Assertion[] = []) => {
    const read = readCaseForm(form, before, defaults);
    return read.ok ? (read.case.assert ?? []) : read.problems;
  };
  const rows: Assertion[] = [
    { type: "icontains", value: "a", weight: 1 },
    { type: "contains", value: "A\nb", weight: 1 },
    { type: "not-icontains", value: "b", weight: 1 },
    { type: "not-contains", value: "B", weight: 1 },
    { type: "equals", value: "84", weight: 1 },
    { type: "regex", value: "^\\d+$", weight: 1 },
    { type: "tool-used", value: "search", weight: 1 },
    { type: "llm-rubric", value: "It is polite.", weight: 1 },
    { type: "cost", threshold: 0.01, weight: 1 },
  ];
  const others: Assertion[] = [
    { type: "equals", value: 84, weight: 1 },
    { type: "contains", value: "x", weight: 2 },
    { type: "contains", value: "x", weight: 1, metric: "named" },
    { type: "contains", value: "", weight: 1 },
    { type: "tool-used", value: ["a", "b"], weight: 1 },
    { type: "regex", value: "a\nb", weight: 1 },
    { type: "llm-rubric", value: "It is polite.", threshold: 0.5, weight: 1 },
    { type: "cost", value: 1, weight: 1 },
    { type: "trajectory:tool-used", value: "search", weight: 1 },
    { type: "expected", value: "judge", threshold: 0.9, weight: 1 },
  ];

  it("are rows where a row can say all of it, else JSON, and come back as they were, in their order", () => {
    const assert = rows
      .flatMap((row, index) => [row, ...others.slice(index, index + 1)])
      .concat(others.slice(rows.length));
    const before = { ...base, assert };
    const form = formOf(before);
    expect(form.checks.map(({ kind }) => kind)).toEqual([
      "contains",
      "contains",
      "not-contains",
      "not-contains",
      "equals",
      "matches",
      "uses-tool",
      "judge",
      "cost",
    ]);
    expect(JSON.parse(form.assert)).toEqual(others);
    expect(assertionsOf(form, before)).toEqual(assert);
    // Touched, each stays what it was.
    const changed = { ...form, checks: form.checks.map((row) => (row.kind === "cost" ? { ...row, value: "2" } : row)) };
    expect(assertionsOf(changed, before)).toEqual([
      ...rows.slice(0, -1),
      { type: "cost", threshold: 2, weight: 1 },
      ...others,
    ]);
  });

  it("become assertions, or say at their row what is missing", () => {
    const row = (kind: CheckRow["kind"], value: string) => ({ key: kind, kind, value, matchCase: false });
    const typed = (...checks: CheckRow[]) => assertionsOf({ ...formOf(base), checks }, base);
    expect(typed(row("contains", "x"), row("cost", "0.5"))).toEqual([
      { type: "icontains", value: "x", weight: 1 },
      { type: "cost", threshold: 0.5, weight: 1 },
    ]);
    for (const kind of checkKinds)
      expect(typed(row(kind, " "))).toEqual({ checks: { [kind]: checkTexts[kind].missing } });
    expect(typed(row("matches", "(a"))).toEqual({ checks: { matches: expect.any(String) } });
    expect(typed(row("cost", "cheap"))).toEqual({ checks: { cost: checkTexts.cost.missing } });
  });

  it("compare what is expected as chosen, and name the choice only where it is another one than by itself", () => {
    const expecting = { ...formOf(base), expected: "Oslo" };
    expect(expecting.comparison).toBe("contains");
    expect(assertionsOf(expecting, base)).toEqual([]);
    const equals = { type: "expected", value: "equals", weight: 1 };
    expect(assertionsOf({ ...expecting, comparison: "equals" }, base)).toEqual([equals]);
    expect(assertionsOf({ ...expecting, comparison: "none" }, base)).toEqual([{ type: "expected", weight: 0 }]);
    expect(formOf({ ...base, expected: "Oslo", assert: [equals] })).toMatchObject({ comparison: "equals", assert: "" });
    // Back to what it is by itself.
    const before = { ...base, expected: "Oslo", assert: [equals] };
    expect(assertionsOf({ ...formOf(before), comparison: "contains" }, before)).toEqual([]);
    const suite = [{ type: "cel", value: "output == expected", weight: 1 }];
    expect(formOf(base, suite).comparison).toBe("assertions");
    expect(assertionsOf({ ...formOf(base, suite), expected: "Oslo" }, base, suite)).toEqual([]);
    // A case of a run keeps its answer for reference, also once it has no other check.
    const checks = [{ type: "icontains", value: "x", weight: 1 }];
    const saved = { ...base, expected: "Oslo", source: { runId: "r" }, assert: checks };
    expect(formOf(saved).comparison).toBe("none");
    expect(assertionsOf({ ...formOf(saved), checks: [] }, saved)).toEqual([{ type: "expected", weight: 0 }]);
  });
});
