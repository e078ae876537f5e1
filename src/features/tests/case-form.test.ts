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

  it("says what is wrong at the field", () => {
    const good = { id: "a", input: "Hi", expected: "", assert: "" };
    const problems = (part: Partial<typeof good>) => {
      const read = readCaseForm({ ...good, ...part });
      return read.ok ? {} : read.problems;
    };
    expect(problems({})).toEqual({});
    expect(problems({ id: " " })).toEqual({ id: "A case needs a name." });
    expect(problems({ input: " " })).toEqual({ input: "A case needs an input." });
    expect(problems({ assert: "[" })).toEqual({ assert: "This is not valid JSON." });
    expect(problems({ assert: '[{"type":"equal"}]' }).assert).toContain('no assertion "equal"');
  });
});
