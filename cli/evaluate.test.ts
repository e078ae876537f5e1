import { spawn } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sayReply } from "../e2e/servers/openai-reply.ts";
import { startOpenaiServer } from "../e2e/servers/openai-server.ts";
import { type Evaluation, evaluationSchema } from "../src/evaluation/result/evaluation.ts";
import { trialResultSchema } from "../src/evaluation/run/trial-result.ts";
import { templates } from "../src/features/library/templates/index.ts";
import { templateDocument } from "../src/features/library/templates/template-document.ts";
import { parseEvaluateArguments } from "./evaluate/arguments.ts";
import { importSuite, parseImportArguments } from "./evaluate/import-suite.ts";
import { evaluateSuite } from "./evaluate/evaluate-suite.ts";
import { CommandFailure } from "./headless/command-failure.ts";
import { agentWorkflow } from "../scripts/testing/workflow-command.ts";

const script = fileURLToPath(new URL("./evaluate.mjs", import.meta.url));
const examples = fileURLToPath(new URL("../examples", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "switchyard-evaluate-"));
const at = (name: string) => join(folder, name);
const model = await startOpenaiServer();

afterAll(async () => {
  await model.close();
  rmSync(folder, { recursive: true });
});

const write = (name: string, content: unknown, mode = 0o644) =>
  writeFileSync(at(name), typeof content === "string" ? content : JSON.stringify(content), { mode });
const read = (name: string) => readFileSync(at(name), "utf8");
const resultIn = (name: string): Evaluation => evaluationSchema.parse(JSON.parse(read(name)));

/** The command as a process of its own. */
function command(args: string[], during?: (kill: () => void) => void) {
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = spawn(process.execPath, [script, ...args], { cwd: folder });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
    child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
    child.on("close", (code) => resolve({ code, stdout, stderr }));
    during?.(() => child.kill("SIGKILL"));
  });
}

let said = "";
let warned = "";
beforeEach(() => {
  [said, warned] = ["", ""];
  const into = (take: (text: string) => void) => (chunk: string | Uint8Array) => {
    take(String(chunk));
    return true;
  };
  vi.spyOn(process.stdout, "write").mockImplementation(into((text) => (said += text)));
  vi.spyOn(process.stderr, "write").mockImplementation(into((text) => (warned += text)));
});
afterEach(() => void vi.restoreAllMocks());

/** The same in this process: its exit code, or why it did not begin. */
async function evaluate(suite: string, ...args: string[]): Promise<number | string> {
  const options = parseEvaluateArguments([at(suite), ...args]);
  if (!options) throw new Error("This asks for help.");
  try {
    return await evaluateSuite(options, new AbortController().signal);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return `${error.exitCode === 1 ? 4 : error.exitCode} ${error.message}`;
  }
}

write("demo.json", agentWorkflow("demo-model", {}));
write(
  "sums.jsonl",
  '{"id":"sum","input":"What is 2 + 3?","expected":"5"}\n{"id":"product","input":"What is 6 * 7?","expected":"42"}\n',
);

const sums = (rest: object = {}) => ({
  workflow: "demo.json",
  dataset: "sums.jsonl",
  cassettes: "cassettes",
  defaultAssert: [{ type: "contains", value: "{{expected}}" }],
  ...rest,
});

describe("npm run evaluate", () => {
  it("shows its help, and says what is wrong with the command line", async () => {
    expect(await command(["--help"])).toMatchObject({ code: 0, stdout: expect.stringContaining("Exit code 0") });
    const wrong =
      (...args: string[]) =>
      () =>
        parseEvaluateArguments(args);
    expect(wrong()).toThrow("No suite");
    expect(wrong("a", "b")).toThrow("too many");
    expect(wrong("a", "--trials", "0")).toThrow("--trials 0");
    expect(wrong("a", "--replay", "some")).toThrow("none, tools, all");
    expect(wrong("a", "--on-miss", "ask")).toThrow("fail or live");
    expect(wrong("a", "--model", "x=")).toThrow("names no model");
    expect(wrong("a", "--colour")).toThrow("--colour");
    expect(await command(["a.suite.json", "--replay"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--replay"),
    });
  });

  it("passes nothing that it did not check: the exit code is 3, also beside cases that pass", async () => {
    write("bare.jsonl", '{"id":"sum","input":"What is 2 + 3?","expected":"5"}\n{"id":"bare","input":"Hi"}\n');
    write("bare.suite.json", sums({ dataset: "bare.jsonl", defaultAssert: [] }));
    expect(await evaluate("bare.suite.json")).toBe(3);
    expect(said).toContain("1/1");
    expect(said).toMatch(/bare +0\/0 +– +nothing was checked/);
    expect(said).toContain("Not everything was checked, so nothing is proven.");
    expect(warned).toContain('"bare" checks nothing');
    said = "";
    expect(await evaluate("bare.suite.json", "--json", "--junit", at("bare.xml"))).toBe(3);
    expect(evaluationSchema.parse(JSON.parse(said))).toMatchObject({
      status: "unchecked",
      variants: [{ passRate: 1, trials: 1, unchecked: 1 }],
      trials: [
        { caseId: "sum", status: "passed" },
        { caseId: "bare", status: "unchecked" },
      ],
    });
    expect(read("bare.xml")).toContain("Nothing was checked");
    write("gated.suite.json", sums({ dataset: "bare.jsonl", defaultAssert: [], gate: { passRate: 0.1 } }));
    expect(await evaluate("gated.suite.json")).toBe(3);
    // What is expected alone is compared.
    write("wrong.jsonl", '{"id":"sum","input":"What is 2 + 3?","expected":"6"}\n');
    write("wrong.suite.json", sums({ dataset: "wrong.jsonl", defaultAssert: [] }));
    expect(await evaluate("wrong.suite.json")).toBe(1);
    expect(said).toContain('expected: The answer does not contain the expected "6".');
  });

  it("says what is wrong with the files: 2 for what it cannot understand, 4 for what it cannot run", async () => {
    write("bad.suite.json", sums({ trails: 3 }));
    expect(await evaluate("bad.suite.json")).toMatch(
      /^2 .*bad\.suite\.json is not valid:\n.*"trails" is not known\. Did you mean "trials"\?/,
    );
    const { nodes, ...rest } = agentWorkflow("demo-model", {});
    write("misspelt.json", { ...rest, nodes: { ...nodes, agent: { ...nodes.agent, config: { maxIteration: 3 } } } });
    write("misspelt.suite.json", sums({ workflow: "misspelt.json" }));
    expect(await evaluate("misspelt.suite.json")).toBe(0);
    expect(warned).toContain('"nodes.agent.config.maxIteration" is no setting of');
    expect(warned).toContain('Did you mean "maxIterations"?');
    expect(await evaluate("none.suite.json")).toMatch(/^4 .*does not exist/);
    write("bad.jsonl", '{"id":"a","input":1}\n{"id":"a"}');
    write("cases.suite.json", sums({ dataset: "bad.jsonl" }));
    expect(await evaluate("cases.suite.json")).toMatch(/^2 .*bad\.jsonl is not valid:\n.*Line 2, "input"/);
    write("no-workflow.suite.json", sums({ workflow: "gone.json" }));
    expect(await evaluate("no-workflow.suite.json")).toMatch(/^4 .*gone\.json cannot be read/);
    write("no-judge.suite.json", sums({ defaultAssert: [{ type: "llm-rubric", value: "Good." }] }));
    expect(await evaluate("no-judge.suite.json")).toMatch(/^4 .*judge/s);
    write("matrix.suite.json", sums());
    expect(await evaluate("matrix.suite.json", "--model", "nobody=x")).toMatch(/^4 .*no node "nobody"/s);
    expect(await evaluate("matrix.suite.json", "--record", "--replay", "all")).toMatch(/^2 .*exclude/);
    write("no-place.suite.json", { ...sums(), cassettes: undefined });
    expect(await evaluate("no-place.suite.json", "--record")).toMatch(/^2 .*no place/);
    write("baseline.json", {});
    expect(await evaluate("matrix.suite.json", "--baseline", at("baseline.json"))).toMatch(/^2 .*not a result/);
  });

  it("exits with 0, 1 or 3 by what the trials prove, and compares with a baseline", async () => {
    write("gate.suite.json", sums({ name: "Sums", trials: 2, gate: { passRate: 0.5 } }));
    expect(await evaluate("gate.suite.json", "--out", at("first.json"), "--junit", at("junit.xml"))).toBe(0);
    expect(said).toMatch(/Sums: 4 of 4 trials.*sum {10}2\/2.*✓ passRate.*Passed\./s);
    expect(resultIn("first.json")).toMatchObject({
      status: "passed",
      planned: 4,
      variants: [{ variant: "as saved", passRate: 1 }],
    });
    expect(read("junit.xml")).toContain('<testsuite name="Sums" tests="3" failures="0"');
    expect(await evaluate("gate.suite.json", "--trials", "1")).toBe(3);
    expect(said).toContain("at least 4 trials");

    write("wrong.suite.json", sums({ defaultAssert: [{ type: "contains", value: "snow" }], gate: { noWorse: true } }));
    expect(await evaluate("wrong.suite.json", "--baseline", at("first.json"), "--json", "--model", "other")).toBe(1);
    const { variants } = evaluationSchema.parse(JSON.parse(said.slice(said.indexOf('{"format"'))));
    expect(variants).toMatchObject([
      { variant: "other", comparison: { against: "the baseline", worse: ["sum", "product"] } },
    ]);
    expect(existsSync(at("wrong.suite.trials.jsonl"))).toBe(false);
  });

  it("records runs of a vendor's model, and replays them without key or network", async () => {
    write("agent.json", agentWorkflow("openai-model", { credential: "key-1", model: "gpt-4o-mini" }));
    write("keys.json", { "key-1": { type: "openai", apiKey: model.key, baseUrl: model.baseUrl } }, 0o600);
    write("live.suite.json", sums({ workflow: "agent.json", trials: 2 }));
    expect(await evaluate("live.suite.json", "--record", "--credentials", at("keys.json"))).toBe(0);
    expect(read("cassettes/sum.jsonl")).not.toContain(model.key);
    const asked = model.requests.length;
    expect(asked).toBeGreaterThan(0);
    expect(await evaluate("live.suite.json", "--replay", "all", "--out", at("replayed.json"))).toBe(0);
    expect(resultIn("replayed.json")).toMatchObject({
      planned: 4,
      spentUsd: 0,
      trials: [{ status: "passed" }, {}, {}, {}],
    });
    expect(model.requests).toHaveLength(asked);
    // Another question has no recorded answer, and is not asked.
    const changed = agentWorkflow("openai-model", { credential: "key-1", model: "gpt-4o" });
    write("agent.json", changed);
    expect(await evaluate("live.suite.json", "--replay", "all")).toBe(1);
    expect(said).toContain("something different from the recorded run (model)");
    expect(model.requests).toHaveLength(asked);
    write("cassettes/sum.jsonl", "nonsense");
    expect(await evaluate("live.suite.json", "--replay", "all")).toMatch(/^2 Line 1 of the cassette/);
  });

  it("tries single steps: records them, replays them, and says which step is gone", async () => {
    const step = { input: { message: "What is 2 + 3?" }, expected: "5" };
    const lines = (...cases: object[]) => cases.map((one) => JSON.stringify(one)).join("\n");
    const whole = { id: "whole", start: { node: "Agent" }, ...step };
    const tool = { type: "tool-used", value: "calculator" };
    const last = {
      id: "last call",
      start: { node: "Agent", call: 3 },
      ...step,
      assert: [{ ...tool, type: "not-tool-used" }],
    };
    write("steps.suite.json", sums({ dataset: "steps.jsonl", cassettes: "steps" }));
    write("steps.jsonl", lines({ ...whole, assert: [tool] }));
    expect(await evaluate("steps.suite.json", "--record"), said).toBe(0);
    expect(
      read("steps/whole.jsonl")
        .split("\n")
        .filter((line) => line.includes('"node-start"')),
    ).toHaveLength(1);

    // What was before the call comes from the recording, which a new one of the same call replaces at the end.
    write("steps.jsonl", lines(last));
    expect(await evaluate("steps.suite.json")).toBe(1);
    expect(said).toContain("What was before the step “Agent, from call 3” is not recorded.");
    cpSync(at("steps/whole.jsonl"), at(`steps/${encodeURIComponent("last call")}.jsonl`));
    const before = read("steps/last%20call.jsonl");
    expect(await evaluate("steps.suite.json", "--record", "--trials", "2"), said).toBe(0);
    expect(read("steps/last%20call.jsonl")).not.toBe(before);
    expect(existsSync(at("steps/last%20call.jsonl.new"))).toBe(false);
    expect(
      await evaluate("steps.suite.json", "--replay", "all", "--trials", "2", "--out", at("steps.json")),
      said,
    ).toBe(0);
    expect(resultIn("steps.json")).toMatchObject({ planned: 2, trials: [{ status: "passed", misses: 0 }, {}] });
    expect(await evaluate("steps.suite.json", "--replay", "tools"), said).toBe(0);

    write("steps.jsonl", lines({ ...whole, start: { node: "n9", title: "Sorter" } }));
    expect(await evaluate("steps.suite.json")).toBe(1);
    expect(warned).toContain(
      '"whole" cannot pass: The case begins at the step “Sorter”, which is no longer in the workflow.',
    );
  });

  it("could not run where a credential is refused or missing", async () => {
    write("agent.json", agentWorkflow("openai-model", { credential: "key-1", model: "gpt-4o-mini" }));
    write("live.suite.json", sums({ workflow: "agent.json", trials: 5 }));
    expect(await evaluate("live.suite.json")).toBe(4);
    expect(said).toContain('The credential "key-1" is not in the credentials file');
  });

  it("asks a judge once, keeps what it said with the recording, and needs it no more", async () => {
    const judge = { provider: "openai", model: "gpt-4o", credential: "key-1" };
    const verdict = (pass: boolean) => sayReply(JSON.stringify({ reason: "Because.", pass, score: pass ? 1 : 0.2 }));
    const defaultAssert = [{ type: "llm-rubric", value: "Names the number {{expected}}." }];
    write("judged.suite.json", sums({ judge, cassettes: "judged", concurrency: 1, defaultAssert }));
    write("keys.json", { "key-1": { type: "openai", apiKey: model.key, baseUrl: model.baseUrl } }, 0o600);
    model.enqueue(verdict(true), verdict(false));
    const asked = model.requests.length;
    const keys = ["--credentials", at("keys.json")];
    expect(await evaluate("judged.suite.json", "--record", ...keys, "--out", at("judged.json"))).toBe(1);
    const { trials } = resultIn("judged.json");
    expect(trials).toMatchObject([
      { caseId: "sum", status: "passed", score: 1 },
      { caseId: "product", status: "failed", score: 0.2, reason: "llm-rubric: Because." },
    ]);
    expect(trials[0]?.spentUsd).toBeGreaterThan(0);
    expect(model.requests).toHaveLength(asked + 2);
    expect(await evaluate("judged.suite.json", "--replay", "all", "--out", at("again.json"))).toBe(1);
    expect(resultIn("again.json").trials.map(({ status }) => status)).toEqual(["passed", "failed"]);
    expect(model.requests).toHaveLength(asked + 2);
    // What is not recorded is not asked for offline, and does not count.
    rmSync(at("judged/judgements.jsonl"));
    expect(await evaluate("judged.suite.json", "--replay", "all", ...keys)).toBe(4);
    expect(model.requests).toHaveLength(asked + 2);
  });

  it("loses no finished trial to kill -9, and goes on with the same command", async () => {
    write("long.suite.json", sums({ trials: 2, concurrency: 2 }));
    const journal = at("long.suite.trials.jsonl");
    const lines = () => (existsSync(journal) ? read("long.suite.trials.jsonl").trimEnd().split("\n").slice(1) : []);
    // So many that it is surely under way when it is killed.
    const killed = await command(["long.suite.json", "--trials", "200"], (kill) => {
      const timer = setInterval(() => {
        if (lines().length < 3) return;
        clearInterval(timer);
        kill();
      }, 5);
    });
    expect(killed.code).toBeNull();
    const finished = lines().map((line) => trialResultSchema.parse(JSON.parse(line)));
    const kept = finished.filter(({ trial }) => trial <= 2).map(({ runId }) => runId);
    expect(kept.length).toBeGreaterThanOrEqual(3);
    // A line that was being written.
    appendFileSync(journal, '{"variant":"as saved","caseId":"su');
    expect(await evaluate("long.suite.json", "--json")).toBe(0);
    expect(warned).toContain(`Going on with ${finished.length} finished trials`);
    const { trials } = evaluationSchema.parse(JSON.parse(said));
    expect(trials.map(({ caseId, trial }) => `${caseId} ${trial}`)).toEqual([
      "sum 1",
      "sum 2",
      "product 1",
      "product 2",
    ]);
    expect(trials.map(({ runId }) => runId)).toEqual(expect.arrayContaining(kept));
    expect(existsSync(journal)).toBe(false);
  });

  it("does not take trials of another suite, workflow or dataset for its own", async () => {
    write("other.suite.json", sums());
    const result = {
      variant: "as saved",
      caseId: "sum",
      trial: 1,
      status: "failed",
      score: 0,
      reason: "",
      assertions: [],
    };
    const trial = { ...result, answer: "", runId: "r", costUsd: 0, spentUsd: 0, latencyMs: 0, tokens: 0, misses: 0 };
    const head = { format: "switchyard-trials", version: 1, of: "something else" };
    write("other.suite.trials.jsonl", `${JSON.stringify(head)}\n${JSON.stringify(trial)}\n`);
    expect(await evaluate("other.suite.json")).toBe(0);
    expect(warned).toBe("");
  });
});

describe("npm run evaluate -- --import", () => {
  const importing = (...args: string[]) =>
    importSuite(parseImportArguments(args)).catch((error: unknown) => {
      if (!(error instanceof CommandFailure)) throw error;
      return `${error.exitCode} ${error.message}`;
    });

  it("makes a suite of promptfoo's YAML that can be run, and overwrites nothing", async () => {
    const config = [
      "description: Sums",
      "prompts: ['{{question}}']",
      "defaultTest: &default",
      "  assert: [{ type: contains, value: '{{answer}}' }]",
      "tests:",
      "  - vars: { question: What is 2 + 3?, answer: '5' }",
      "  - vars: { question: What is 6 * 7?, answer: '42' }",
      "    assert: [{ type: python, value: 'True' }]",
    ];
    write("promptfooconfig.yaml", config.join("\n"));
    expect(await importing("--import", at("promptfooconfig.yaml"), "--to", at("moved"), "--json")).toBe(0);
    expect(JSON.parse(said)).toMatchObject({ format: "promptfoo", cases: 2, mapped: 3, approximated: 0, leftOut: 2 });
    write("moved/workflow.json", agentWorkflow("demo-model", {}));
    expect(await evaluate("moved/imported.suite.json")).toBe(0);
    const again = await importing("--import", at("promptfooconfig.yaml"), "--to", at("moved"));
    expect(again).toMatch(/^1 .*there already/);
  });

  it("makes one of an eval of OpenAI and its rows", async () => {
    const criterion = {
      type: "string_check",
      input: "{{sample.output_text}}",
      reference: "{{item.sum}}",
      operation: "ilike",
    };
    write("eval.json", { name: "Sums", data_source_config: { type: "custom" }, testing_criteria: [criterion] });
    write("rows.jsonl", '{"item":{"question":"What is 2 + 3?","sum":"5"}}\n');
    const files = ["--import", at("eval.json"), "--data", at("rows.jsonl"), "--to", at("eval")];
    expect(await importing(...files)).toBe(0);
    expect(said).toMatch(/eval\.json \(openai-evals\): 1 cases; 1 parts mapped, 1 approximated, 0 left out/);
    write("eval/workflow.json", agentWorkflow("demo-model", {}));
    expect(await evaluate("eval/imported.suite.json")).toBe(0);
  });

  it("says what it cannot read", async () => {
    write("neither.yaml", "a: 1");
    expect(await importing("--import", at("neither.yaml"), "--to", at("x"))).toMatch(/^2 .*is neither/);
    write("broken.yaml", "a: [1");
    expect(await importing("--import", at("broken.yaml"), "--to", at("x"))).toMatch(/^2 .*neither YAML nor JSON/);
    write(
      "bomb.yaml",
      `a: &a [x]\n${Array.from({ length: 30 }, (_, n) => `b${n}: [${"*a, ".repeat(9)}*a]`).join("\n")}\ntests: []`,
    );
    expect(await importing("--import", at("bomb.yaml"), "--to", at("x"))).toMatch(/^2 .*alias/i);
    expect(await importing("--import", at("none.yaml"), "--to", at("x"))).toMatch(/^1 .*does not exist/);
    expect(() => parseImportArguments(["--import", "a"])).toThrow("needs --to");
  });
});

describe("the examples", () => {
  it.each(["ask-with-tools", "approve-refunds", "extract-json"])("%s passes on the demo model", async (id) => {
    cpSync(join(examples, id), at(id), { recursive: true });
    expect(await evaluate(`${id}/${id}.suite.json`, "--trials", "1"), said).toBe(0);
    // Its workflow is the template's.
    const template = templates.find((one) => one.id === id);
    expect(JSON.parse(read(`${id}/workflow.json`))).toEqual(template && templateDocument(template, id));
  });

  it("has recordings that stand for the model; record them again when its instructions change", async () => {
    cpSync(join(examples, "ask-with-tools"), at("recorded"), { recursive: true });
    expect(await evaluate("recorded/ask-with-tools.suite.json", "--replay", "all"), said).toBe(0);
  });
});
