import { describe, expect, it } from "vitest";
import { formOf, readCaseForm } from "./case-form.ts";

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
