import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../engine/json.ts";
import { readCaseList } from "../suite/evaluation-case.ts";
import { readSuite } from "../suite/suite.ts";
import { type ImportedSuite } from "./imported-suite.ts";
import { importOpenaiEval, isOpenaiEval } from "./openai-evals.ts";
import { importPromptfoo, isPromptfoo } from "./promptfoo.ts";

const outcomes = ({ parts }: ImportedSuite) => parts.map(({ place, outcome }) => `${place} ${outcome}`);

/** What an import gives is a suite and a dataset as they are read later. */
function readable({ suite, cases }: ImportedSuite): void {
  expect(readSuite(suite)).toMatchObject({ ok: true });
  expect(readCaseList(JSON.stringify(cases))).toMatchObject({ ok: true });
}

describe("promptfoo", () => {
  const config: JsonObject = {
    description: "Refunds",
    prompts: ["Answer {{question}}"],
    providers: ["some:model"],
    evaluateOptions: { repeat: 3 },
    defaultTest: { vars: { language: "English" }, assert: [{ type: "latency", threshold: 5000 }] },
    tests: [
      {
        description: "Order 7",
        vars: { question: "Where is order 7?", city: "Oslo" },
        metadata: { tier: "gold" },
        threshold: 0.5,
        assert: [
          { type: "icontains", value: "{{city}}", weight: 2, metric: "city" },
          { type: "not-contains-any", value: ["sorry", "{{ language }}"] },
          { type: "trajectory:tool-used", value: "find_order" },
          { type: "javascript", value: "output.length < 100" },
          { type: "python", value: "len(output) < 100" },
          { type: "javascript", value: "file://check.js" },
          { type: "contains", value: "{{ city | upper }}" },
          { type: "factuality", value: "Order 7 is in {{city}}." },
          { type: "assert-set", assert: [{ type: "is-json" }] },
          { type: "latency" },
        ],
      },
      { description: "Order 7", vars: { question: "Again?" } },
      "file://more.csv",
    ],
  };

  it("becomes a suite and cases, with a report of every part", () => {
    expect([isPromptfoo(config), isOpenaiEval(config)]).toEqual([true, false]);
    const imported = importPromptfoo(config);
    readable(imported);
    expect(imported.suite).toMatchObject({
      name: "Refunds",
      trials: 3,
      defaultAssert: [{ type: "latency", threshold: 5000 }],
    });
    expect(imported.cases).toEqual([
      {
        id: "Order 7",
        input: { language: "English", question: "Where is order 7?", city: "Oslo", message: "Where is order 7?" },
        metadata: { tier: "gold" },
        assert: [
          { type: "icontains", value: "{{input.city}}", weight: 2, metric: "city" },
          { type: "not-contains-any", value: ["sorry", "{{input.language}}"] },
          { type: "trajectory:tool-used", value: "find_order" },
          { type: "javascript", value: "output.length < 100" },
          {
            type: "llm-rubric",
            value: "The answer agrees with this and does not contradict it: Order 7 is in {{input.city}}.",
          },
          { type: "is-json" },
        ],
      },
      { id: "Order 7 (2)", input: { language: "English", question: "Again?", message: "Again?" } },
    ]);
    expect(outcomes(imported)).toEqual([
      "prompts left-out",
      "providers left-out",
      "defaultTest.assert[0] approximated",
      "tests[0].threshold left-out",
      "tests[0] mapped",
      "tests[0].assert[0] mapped",
      "tests[0].assert[1] mapped",
      "tests[0].assert[2] mapped",
      "tests[0].assert[3] approximated",
      "tests[0].assert[4] left-out",
      "tests[0].assert[5] left-out",
      "tests[0].assert[6] left-out",
      "tests[0].assert[7] approximated",
      "tests[0].assert[8] approximated",
      "tests[0].assert[8].assert[0] mapped",
      "tests[0].assert[9] left-out",
      "tests[1] mapped",
      "tests[2] left-out",
      "judge left-out",
    ]);
  });

  it("names files that it does not read", () => {
    const { parts, cases } = importPromptfoo({ tests: "file://tests.csv", defaultTest: "file://default.yaml" });
    expect(cases).toEqual([]);
    expect(parts.map(({ what, outcome }) => `${what} ${outcome}`)).toEqual([
      "file://default.yaml left-out",
      "file://tests.csv left-out",
    ]);
  });
});

it("keeps the number of trials within what a suite allows, and says so", () => {
  const imported = importPromptfoo({ tests: [{ vars: { message: "Hi" } }], evaluateOptions: { repeat: 5000 } });
  readable(imported);
  expect(imported.suite.trials).toBe(1000);
  expect(outcomes(imported)).toEqual(["evaluateOptions.repeat approximated", "tests[0] mapped"]);
});

describe("OpenAI Evals", () => {
  const answer = "{{ sample.output_text }}";
  const config: JsonObject = {
    name: "Tickets",
    data_source_config: { type: "custom", item_schema: { type: "object" } },
    testing_criteria: [
      { type: "string_check", name: "Same", input: answer, reference: "{{ item.correct_label }}", operation: "eq" },
      { type: "string_check", input: answer, reference: "{{item.word}}", operation: "ilike" },
      { type: "string_check", input: "{{item.word}}", reference: "x", operation: "eq" },
      { type: "string_check", input: answer, reference: "x", operation: "gt" },
      {
        type: "text_similarity",
        input: answer,
        reference: "{{item.word}}",
        evaluation_metric: "cosine",
        pass_threshold: 0.8,
      },
      {
        type: "text_similarity",
        input: answer,
        reference: "{{item.word}}",
        evaluation_metric: "bleu",
        pass_threshold: 0.8,
      },
      {
        type: "score_model",
        model: "judge-1",
        input: [
          { role: "system", content: "Rate it for {{item.word}}." },
          { role: "user", content: [{ type: "input_text", text: answer }] },
        ],
        range: [1, 5],
        pass_threshold: 4,
      },
      {
        type: "label_model",
        model: "judge-1",
        input: [{ role: "user", content: answer }],
        labels: ["good", "bad"],
        passing_labels: ["good"],
      },
      { type: "python", source: "def grade(sample, item): return 1.0" },
    ],
  };
  const rows: Json[] = [
    { item: { id: "t1", ticket_text: "My screen is black", correct_label: "Hardware", word: "screen" } },
    { item: { ticket_text: "No network", question: "Why?", expected: 3 } },
    "nonsense",
  ];

  it("become a suite and cases, with a report of every part", () => {
    expect([isPromptfoo(config), isOpenaiEval(config)]).toEqual([false, true]);
    const imported = importOpenaiEval(config, rows);
    readable(imported);
    expect(imported.suite.defaultAssert).toEqual([
      { type: "equals", value: "{{input.correct_label}}", metric: "Same" },
      { type: "icontains", value: "{{input.word}}" },
      { type: "similar", value: "{{input.word}}", threshold: 0.8 },
      { type: "llm-rubric", value: "Rate it for {{input.word}}.\n\n(the answer)", threshold: 0.75 },
      {
        type: "llm-rubric",
        value: '(the answer)\n\nThe labels are ["good","bad"]. Pass only if the right label is one of ["good"].',
      },
    ]);
    expect(imported.cases).toEqual([
      {
        id: "t1",
        input: { id: "t1", ticket_text: "My screen is black", correct_label: "Hardware", word: "screen" },
        expected: "Hardware",
      },
      {
        id: "case-2",
        input: { ticket_text: "No network", question: "Why?", expected: 3, message: "Why?" },
        expected: 3,
      },
    ]);
    expect(outcomes(imported)).toEqual([
      "testing_criteria[0] mapped",
      "testing_criteria[1] approximated",
      "testing_criteria[2] left-out",
      "testing_criteria[3] left-out",
      "testing_criteria[4] mapped",
      "testing_criteria[5] left-out",
      "testing_criteria[6] approximated",
      "testing_criteria[7] approximated",
      "testing_criteria[8] left-out",
      "judge left-out",
      "embeddings left-out",
      "data[0] mapped",
      "data[1] mapped",
      "data[2] left-out",
    ]);
  });

  it("read rows that stand in the eval, and say where there are none", () => {
    const source = { type: "jsonl", source: { type: "file_content", content: rows.slice(0, 1) } };
    expect(importOpenaiEval({ ...config, data_source: source }, []).cases).toHaveLength(1);
    expect(importOpenaiEval(config, []).parts.at(-1)).toMatchObject({ place: "data_source", outcome: "left-out" });
  });
});

describe("what promptfoo's tests have in common or leave to others", () => {
  const made = (test: JsonObject, defaultTest: JsonObject = {}) => importPromptfoo({ defaultTest, tests: [test] });

  it("drops an assertion about a changed output, and tells what else one loses", () => {
    const suite = made({
      vars: { q: "a" },
      assert: [
        { type: "equals", value: "A", transform: "output.toUpperCase()" },
        { type: "contains", value: "a", config: { x: 1 } },
        { type: "constructor", value: "a" },
      ],
    });
    expect(suite.cases[0]?.assert).toEqual([{ type: "contains", value: "a" }]);
    expect(outcomes(suite)).toEqual(
      expect.arrayContaining([
        "tests[0].assert[0] left-out",
        "tests[0].assert[1] approximated",
        "tests[0].assert[2] left-out",
      ]),
    );
  });

  it("takes the metadata of all tests, and tells their threshold and options", () => {
    const suite = made(
      { vars: { q: "a" }, metadata: { tier: "gold" } },
      { metadata: { team: "x", tier: "no" }, threshold: 0.5, options: { transform: "x" } },
    );
    expect(suite.cases[0]?.metadata).toEqual({ team: "x", tier: "gold" });
    expect(outcomes(suite)).toEqual(
      expect.arrayContaining(["defaultTest.threshold left-out", "defaultTest.options left-out"]),
    );
  });

  it("makes a case of each value of a list, as far as they are few", () => {
    const vars = { a: ["x", "y"], b: ["1", "2"], c: "z" };
    const suite = made({ vars });
    readable(suite);
    expect(suite.cases.map(({ input }) => JSON.stringify(input))).toEqual(
      ["x1", "x2", "y1", "y2"].map(([a = "", b = ""]) => JSON.stringify({ a, b, c: "z" })),
    );
    expect(suite.cases.map(({ id }) => id)).toEqual(["case-1", "case-1 (2)", "case-1 (3)", "case-1 (4)"]);
    expect(made({ vars }, { options: { disableVarExpansion: true } }).cases).toHaveLength(1);
    const long = Array.from({ length: 40 }, (_, index) => index);
    const many = made({ vars: { a: long, b: long } });
    expect(many.cases).toEqual([]);
    expect(outcomes(many)).toContain("tests[0].vars left-out");
  });
});
