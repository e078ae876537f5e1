import { describe, expect, it } from "vitest";
import type { Json } from "../../engine/json.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { assertionSchema } from "./assertion.ts";
import { checkTrial } from "./check-trial.ts";
import type { AssertionServices } from "./services.ts";
import type { ToolUse, TrialView } from "./trial-view.ts";

const tool = (name: string, input: Json = {}, rest: Partial<ToolUse> = {}): ToolUse => ({
  name,
  input,
  output: "ok",
  ok: true,
  asked: false,
  rejected: false,
  ...rest,
});

const trial = (rest: Partial<TrialView> = {}): TrialView => {
  const text = rest.text ?? "The total is 84.";
  return {
    input: { message: "12 * 7", city: "Oslo" },
    expected: "84",
    metadata: { tier: "gold" },
    outcome: "completed",
    error: undefined,
    output: { response: text, metadata: {} },
    answer: text,
    text,
    turns: [],
    endings: ["completed", "stop"],
    tools: [],
    modelCalls: 2,
    costUsd: 0.01,
    latencyMs: 1_200,
    tokens: 300,
    remembered: undefined,
    ...rest,
  };
};

const services: AssertionServices = { host: testHost(), signal: new AbortController().signal };

async function check(assertion: object, view: Partial<TrialView> = {}, more: Partial<AssertionServices> = {}) {
  return checkTrial(assertionSchema.parse(assertion), trial(view), { ...services, ...more });
}

const passes = async (assertion: object, view?: Partial<TrialView>) => (await check(assertion, view)).pass;

describe("assertions about the answer", () => {
  it.each([
    [{ type: "equals", value: "The total is 84." }, true],
    [{ type: "equals", value: "The total" }, false],
    [{ type: "contains", value: "84" }, true],
    [{ type: "contains", value: 84 }, true],
    [{ type: "contains", value: "total IS" }, false],
    [{ type: "icontains", value: "TOTAL" }, true],
    [{ type: "contains-any", value: ["x", "84"] }, true],
    [{ type: "contains-any", value: "x, y" }, false],
    [{ type: "contains-all", value: "total, 84" }, true],
    [{ type: "contains-all", value: ["total", "85"] }, false],
    [{ type: "icontains-all", value: ["TOTAL", "84"] }, true],
    [{ type: "icontains-any", value: ["IS", "85"] }, true],
    [{ type: "starts-with", value: "The" }, true],
    [{ type: "starts-with", value: "total" }, false],
    [{ type: "regex", value: "is \\d+\\.$" }, true],
    [{ type: "regex", value: "^is" }, false],
    [{ type: "not-contains", value: "85" }, true],
    [{ type: "not-contains", value: "84" }, false],
    [{ type: "levenshtein", value: "The total is 48." }, true],
    [{ type: "levenshtein", value: "The total is 48.", threshold: 1 }, false],
    [{ type: "contains", value: "{{expected}}" }, true],
    [{ type: "contains", value: "{{input.city}}" }, false],
    [{ type: "contains-any", value: ["{{metadata.tier}}", "{{input.message}}"] }, false],
  ])("%j: %s", async (assertion, expected) => {
    expect(await passes(assertion)).toBe(expected);
  });

  it("say what the answer was", async () => {
    const { reason, score } = await check({ type: "contains", value: "85" });
    expect([reason, score]).toEqual([expect.stringMatching(/contains "85".*The total is 84/), 0]);
  });

  it("compare JSON whatever the order of keys", async () => {
    const answer = { a: 1, b: [2] };
    expect(await passes({ type: "equals", value: { b: [2], a: 1 } }, { answer, text: JSON.stringify(answer) })).toBe(
      true,
    );
    expect(await passes({ type: "equals", value: { a: 1 } }, { text: '{"a": 1}', answer: '{"a": 1}' })).toBe(true);
    expect(await passes({ type: "equals", value: { a: 2 } }, { text: '{"a": 1}', answer: '{"a": 1}' })).toBe(false);
  });

  it("check JSON by a schema, also in a code fence", async () => {
    const schema = { type: "object", properties: { a: { type: "number" } }, required: ["a"] };
    const fenced = { text: '```json\n{"a": 1}\n```', answer: '```json\n{"a": 1}\n```' };
    expect(await passes({ type: "is-json" }, fenced)).toBe(true);
    expect(await passes({ type: "is-json", value: schema }, fenced)).toBe(true);
    const wrong = await check({ type: "is-json", value: schema }, { text: '{"a": "x"}', answer: '{"a": "x"}' });
    expect(wrong).toMatchObject({ pass: false, reason: expect.stringContaining('"a"') });
    expect(await passes({ type: "is-json" })).toBe(false);
    expect(await passes({ type: "not-is-json" })).toBe(true);
  });

  it("fail in words where a template leads nowhere, also under not-", async () => {
    const { pass, reason } = await check({ type: "not-contains", value: "{{input.town}}" });
    expect([pass, reason]).toEqual([false, expect.stringContaining("town")]);
    expect((await check({ type: "contains", value: "{{expected}}" }, { expected: undefined })).pass).toBe(false);
  });
});

describe("assertions about what a run took", () => {
  it.each([
    [{ type: "cost", threshold: 0.01 }, true],
    [{ type: "cost", threshold: 0.009 }, false],
    [{ type: "latency", threshold: 1_200 }, true],
    [{ type: "latency", value: 1_199 }, false],
    [{ type: "tokens", threshold: 300 }, true],
    [{ type: "tokens", threshold: 299 }, false],
  ])("%j: %s", async (assertion, expected) => {
    expect(await passes(assertion)).toBe(expected);
  });

  it("do not take an unknown price for a low one", async () => {
    const { pass, reason } = await check({ type: "cost", threshold: 9 }, { costUsd: null });
    expect([pass, reason]).toEqual([false, expect.stringContaining("not known")]);
  });
});

describe("assertions about the way", () => {
  const tools = [
    tool("find", { id: 7, deep: { a: 1, b: 2 } }),
    tool("find", { id: 8 }),
    tool("mail", {}, { asked: true }),
  ];

  it.each([
    [{ type: "tool-used", value: "find" }, true],
    [{ type: "trajectory:tool-used", value: ["find", "mail"] }, true],
    [{ type: "tool-used", value: ["find", "refund"] }, false],
    [{ type: "not-tool-used", value: "refund" }, true],
    [{ type: "tool-used", value: { name: "find", max: 1 } }, false],
    [{ type: "tool-used", value: { name: "find", min: 2, max: 2 } }, true],
    [{ type: "tool-args-match", value: { name: "find", args: { id: 8 } } }, true],
    [{ type: "tool-args-match", value: { name: "find", args: { deep: { b: 2 } } } }, true],
    [{ type: "tool-args-match", value: { name: "find", args: { id: 7 }, mode: "exact" } }, false],
    [{ type: "tool-args-match", value: { name: "find", args: { deep: { b: 2, a: 1 }, id: 7 }, mode: "exact" } }, true],
    [{ type: "tool-args-match", value: { name: "refund", args: {} } }, false],
    [{ type: "tool-sequence", value: ["find", "find", "mail"] }, true],
    [{ type: "tool-sequence", value: ["find", "mail"] }, false],
    [{ type: "tool-sequence", value: { steps: ["mail", "find", "find"], mode: "unordered" } }, true],
    [{ type: "tool-sequence", value: { steps: ["mail", "find"], mode: "unordered" } }, false],
    [{ type: "tool-sequence", value: { steps: ["mail", "find"], mode: "superset" } }, true],
    [{ type: "tool-sequence", value: { steps: ["mail", "mail"], mode: "superset" } }, false],
    [{ type: "tool-sequence", value: { steps: ["find", "find", "mail", "refund"], mode: "subset" } }, true],
    [{ type: "tool-sequence", value: { steps: ["find", "mail"], mode: "subset" } }, false],
    [{ type: "tool-sequence", value: { steps: ["find", "mail"], mode: "in_order" } }, true],
    [{ type: "tool-sequence", value: { steps: ["mail", "find"], mode: "in-order" } }, false],
    [{ type: "step-count", value: { max: 5 } }, true],
    [{ type: "step-count", threshold: 4 }, false],
    [{ type: "step-count", value: { max: 2, type: "model" } }, true],
    [{ type: "step-count", value: { min: 4, type: "tool" } }, false],
    [{ type: "approval-asked" }, true],
    [{ type: "approval-asked", value: "mail" }, true],
    [{ type: "approval-asked", value: "find" }, false],
    [{ type: "finish-reason", value: "completed" }, true],
    [{ type: "finish-reason", value: ["length", "stop"] }, true],
    [{ type: "finish-reason", value: "budget" }, false],
  ])("%j: %s", async (assertion, expected) => {
    expect(await passes(assertion, { tools })).toBe(expected);
  });

  it("do not count calls that a person refused", async () => {
    const refused = [tool("mail", {}, { asked: true, rejected: true })];
    expect(await passes({ type: "tool-used", value: "mail" }, { tools: refused })).toBe(false);
    expect(await passes({ type: "approval-asked", value: "mail" }, { tools: refused })).toBe(true);
  });

  it("look at what memories keep", async () => {
    const remembered = ["My name is Ada.", "Hello Ada."];
    expect(await passes({ type: "memory-contains", value: "Ada" }, { remembered })).toBe(true);
    expect(await passes({ type: "memory-contains", value: ["Ada", "Bob"] }, { remembered })).toBe(false);
    expect(await passes({ type: "memory-contains", value: "Ada" })).toBe(false);
  });
});

describe("assertions that are code", () => {
  it.each([
    [{ type: "cel", value: 'output.contains("84") && run.tokens < 400' }, true],
    [{ type: "cel", value: "run.modelCalls == 3" }, false],
    [{ type: "cel", value: "run.tools.exists(t, t.name == 'find')" }, true],
    [{ type: "cel", value: "0.4", threshold: 0.5 }, false],
    [{ type: "cel", value: "{'pass': true, 'score': 0.3}" }, true],
    [{ type: "cel", value: "input.town == ''" }, false],
    [{ type: "cel", value: "'text'" }, false],
  ])("%j: %s", async (assertion, expected) => {
    expect(await passes(assertion, { tools: [tool("find")] })).toBe(expected);
  });

  it("run JavaScript in the sandbox, an expression or a body", async () => {
    const asked: string[] = [];
    const host = testHost({
      runCode({ code, args }) {
        asked.push(code);
        return { ok: true, output: args["output"] === "The total is 84." && args["expected"] === "84", logs: [] };
      },
    });
    expect((await check({ type: "javascript", value: "output.length > 3" }, {}, { host })).pass).toBe(true);
    expect((await check({ type: "javascript", value: "const a = 1; return a" }, {}, { host })).pass).toBe(true);
    expect(asked).toEqual(["return (output.length > 3\n);", "const a = 1; return a"]);
    const failing = testHost({ runCode: () => ({ ok: false, error: "x is not defined", logs: [] }) });
    const { pass, reason } = await check({ type: "javascript", value: "x" }, {}, { host: failing });
    expect([pass, reason]).toEqual([false, expect.stringContaining("x is not defined")]);
  });
});

describe("assertions that ask a model", () => {
  it("take the judge's word, and hold it to the threshold", async () => {
    const judge: NonNullable<AssertionServices["judge"]> = ({ rubric, answer }) =>
      Promise.resolve({ pass: answer.includes("84"), score: 0.7, reason: rubric });
    const rubric = { type: "llm-rubric", value: "Says {{expected}}" };
    expect(await check(rubric, {}, { judge })).toMatchObject({ pass: true, score: 0.7, reason: "Says 84" });
    expect(await check({ ...rubric, threshold: 0.8 }, {}, { judge })).toMatchObject({ pass: false });
    await expect(check(rubric)).rejects.toThrow('needs "judge"');
  });

  it("compare meanings", async () => {
    const similarity = (_text: string, others: readonly string[]) =>
      Promise.resolve(others.map((_, at) => 0.5 + at / 4));
    expect(await check({ type: "similar", value: ["a", "b"] }, {}, { similarity })).toMatchObject({
      pass: true,
      score: 0.75,
    });
    expect(await check({ type: "similar", value: "a" }, {}, { similarity })).toMatchObject({ pass: false, score: 0.5 });
    await expect(check({ type: "similar", value: "a" })).rejects.toThrow("embeddings");
  });
});
