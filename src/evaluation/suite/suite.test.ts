import { describe, expect, it } from "vitest";
import { readCaseLines, readCaseList, readCaseTable } from "./evaluation-case.ts";
import { readSuite, variantName } from "./suite.ts";

const suite = { workflow: "a.json", dataset: "a.jsonl" };

describe("a suite", () => {
  it("needs a workflow and a dataset, and has defaults for the rest", () => {
    const read = readSuite(suite);
    expect(read).toMatchObject({
      ok: true,
      suite: { trials: 1, replay: "none", onMiss: "fail", concurrency: 4, matrix: [], liveTools: [], seed: 1 },
    });
    expect(readSuite({ ...suite, gate: { passRate: 0.9 } })).toMatchObject({
      suite: { gate: { confidence: 0.95, noWorse: false } },
    });
  });

  it.each([
    [{}, '"workflow"'],
    [{ ...suite, trials: 0 }, '"trials"'],
    [{ ...suite, trails: 3 }, 'the field "trails" is not known'],
    [{ ...suite, gate: { passRate: 90 } }, '"gate.passRate"'],
    [{ ...suite, replay: "some" }, '"replay"'],
    [
      { ...suite, defaultAssert: [{ type: "equal", value: "x" }] },
      '"defaultAssert[0].type": there is no assertion "equal"',
    ],
    [{ ...suite, defaultAssert: [{ type: "latency" }] }, '"defaultAssert[0].threshold"'],
    [{ ...suite, defaultAssert: [{ type: "regex", value: "(" }] }, '"defaultAssert[0].value"'],
    [{ ...suite, defaultAssert: [{ type: "cel", value: "1 +" }] }, '"defaultAssert[0].value"'],
    [{ ...suite, defaultAssert: [{ type: "contains" }] }, '"defaultAssert[0].value"'],
    [{ ...suite, defaultAssert: [{ type: "tool-used", value: { tool: "x" } }] }, '"defaultAssert[0].value"'],
    [{ ...suite, matrix: [{ model: "a" }, { model: "a" }] }, 'two entries are called "a"'],
  ])("%j is refused in words that name the field", (value, problem) => {
    const read = readSuite(value);
    expect(read.ok ? [] : read.problems.join("\n")).toContain(problem);
  });

  it("leaves a value with templates to the case", () => {
    const defaultAssert = [{ type: "regex", value: "{{expected}}(" }];
    expect(readSuite({ ...suite, defaultAssert }).ok).toBe(true);
  });

  it("names variants by what they change", () => {
    expect(variantName({ model: "m-2" })).toBe("m-2");
    expect(variantName({ provider: "acme", model: "m-2", temperature: 0 })).toBe("acme m-2, temperature 0");
    expect(variantName({ nodeId: "x", name: "Cheap" })).toBe("Cheap");
  });
});

describe("a dataset", () => {
  it("is one case a line", () => {
    const read = readCaseLines(
      '\uFEFF{"id":"a","input":"Hi","expected":1}\r\n\n{"id":"b","input":{"message":"Ho"},"source":{"runId":"r"}}\n',
    );
    expect(read).toMatchObject({ ok: true, cases: [{ id: "a", expected: 1 }, { id: "b" }] });
  });

  it("is refused with the line and the field of each problem", () => {
    const read = readCaseLines(
      ['{"id":"a","input":"Hi"}', "{", '{"id":"a","input":"Ho"}', '{"id":3}', '{"id":"c","input":1,"asert":[]}'].join(
        "\n",
      ),
    );
    expect(read.ok ? [] : read.problems).toEqual([
      "Line 2 is not valid JSON.",
      'Line 3, "id": "a" is taken by line 1.',
      expect.stringMatching(/^Line 4, "id"/),
      expect.stringMatching(/^Line 4, "input"/),
      'Line 5, the field "asert" is not known. Did you mean "assert"?',
    ]);
    expect(readCaseLines("\n")).toEqual({ ok: false, problems: ["The dataset has no cases."] });
    const wrong = readCaseLines('{"id":"a","input":1,"assert":[{"type":"latency"}]}');
    expect(wrong.ok ? "" : wrong.problems[0]).toContain('Line 1, "assert[0].threshold"');
  });

  it("may be a JSON list", () => {
    expect(readCaseList('[{"id":"a","input":1}]')).toMatchObject({ ok: true, cases: [{ id: "a" }] });
    expect(readCaseList("{}")).toMatchObject({ ok: false });
  });

  it("may be a table", () => {
    const read = readCaseTable([
      ["id", "input", "expected", "metadata.tier"],
      ["a", "Hi", '{"x":1}', "gold"],
      ["", "Ho", "", ""],
      ["", "", "", ""],
    ]);
    expect(read).toEqual({
      ok: true,
      cases: [
        { id: "a", input: "Hi", expected: { x: 1 }, metadata: { tier: "gold" } },
        { id: "case-2", input: "Ho" },
      ],
      files: new Map(),
    });
    const fields = readCaseTable([
      ["input.message", "input.city"],
      ["Hi", "Oslo"],
    ]);
    expect(fields).toMatchObject({ cases: [{ input: { message: "Hi", city: "Oslo" } }] });
    expect(readCaseTable([["question"], ["Hi"]])).toMatchObject({ problems: [expect.stringContaining('"question"')] });
    expect(readCaseTable([["id"], ["a"]])).toMatchObject({ problems: [expect.stringContaining('"input"')] });
    expect(
      readCaseTable([
        ["id", "input"],
        ["a", ""],
      ]),
    ).toMatchObject({ problems: [expect.stringContaining("Row 2")] });
  });
});
