import { describe, expect, it } from "vitest";
import { readConfig } from "./read-config.ts";

const file = (text: string, name = "config.yaml") => ({ name, text });
const evaluation = file('{ "testing_criteria": [], "name": "Sums" }', "eval.json");

describe("a file of another tool", () => {
  it("is promptfoo's YAML, with anchors and merged keys, or JSON", () => {
    const yaml = "base: &base { city: Oslo }\ntests:\n  - vars: { <<: *base, question: 'Where?' }\n";
    expect(readConfig(file(yaml))).toMatchObject({
      ok: true,
      imported: { format: "promptfoo", cases: [{ input: { city: "Oslo", question: "Where?" } }] },
    });
    expect(readConfig(file('\uFEFF{ "tests": [{ "vars": { "message": "Hi" } }] }'))).toMatchObject({
      ok: true,
      imported: { format: "promptfoo", cases: [{ input: { message: "Hi" } }] },
    });
  });

  it("is an eval of OpenAI, with its rows in a second file", () => {
    const rows = file('{"item":{"question":"2 + 3?"}}\n\n{"item":{"question":"6 * 7?"}}\r\n', "rows.jsonl");
    const read = readConfig(evaluation, rows);
    expect(read).toMatchObject({ ok: true, imported: { format: "openai-evals", suite: { name: "Sums" } } });
    expect(read.ok && read.imported.cases).toHaveLength(2);
  });

  it.each([
    ["another file", file("a: 1"), undefined, "config.yaml is neither.", "testing_criteria"],
    ["broken YAML", file("a: [1"), undefined, "neither YAML nor JSON", "Check the file"],
    ["broken JSON", file('{ "tests": [ '), undefined, "neither YAML nor JSON", "Check the file"],
    ["no plain data", file("tests: [{ vars: { a: .inf } }]"), undefined, "Infinity", "Correct it"],
    ["a key that reaches prototypes", file('{"tests":[],"__proto__":{}}'), undefined, "__proto__", "Correct it"],
    ["too much", file(`tests: []\n# ${"x".repeat(5_000_000)}`), undefined, "too large", "Split it"],
    ["a broken row", evaluation, file("{}\n{", "rows.jsonl"), "Line 2 of rows.jsonl is not valid JSON", "a line"],
    ["a row that is no plain data", evaluation, file('{"__proto__":1}', "r.jsonl"), "Line 1 of r.jsonl", "Correct it"],
    ["too many rows", evaluation, file(" ".repeat(20_000_001), "r.jsonl"), "r.jsonl is too large", "Split it"],
  ])("is refused when it is %s, with what to do", (_what, config, rows, problem, hint) => {
    const read = readConfig(config, rows);
    expect(read).toMatchObject({
      ok: false,
      problem: expect.stringContaining(problem) as string,
      hint: expect.stringContaining(hint) as string,
    });
  });
});
