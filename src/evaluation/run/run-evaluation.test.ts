import { describe, expect, it } from "vitest";
import { z } from "zod/mini";
import { aiAgent } from "../../nodes/agent/ai-agent.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { chatTrigger } from "../../nodes/triggers/chat-trigger.ts";
import { defineNode, type NodeRegistry } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import type { Reach } from "../../engine/document/reach.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import type { ModelPrice, ModelRequest } from "../../engine/model/chat-model.ts";
import { messageText } from "../../engine/model/message.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import { recordingOf } from "../../engine/run/replay/recording.ts";
import { seededRandom } from "../statistics/random.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { testMemory, testTool } from "../../engine/testing/run-scripted-agent.ts";
import { type Script, type ScriptedTurn, scriptedModel } from "../../engine/testing/scripted-model.ts";
import { memoryNodeOf, modelNodeOf, toolNodeOf } from "../../engine/testing/service-node.ts";
import { testHost, type TestHostOptions } from "../../engine/testing/test-host.ts";
import { evaluationSchema } from "../result/evaluation.ts";
import { recounted, summarise } from "../result/summarise.ts";
import { type EvaluationCase, readCaseList } from "../suite/evaluation-case.ts";
import { readSuite } from "../suite/suite.ts";
import { evaluationNotes, type EvaluationOptions, evaluationProblems, runEvaluation } from "./run-evaluation.ts";
import type { TrialResult } from "./trial-result.ts";

const weatherScript = ({ messages }: ModelRequest): ScriptedTurn => {
  const last = messages.at(-1);
  const text = last ? messageText(last) : "";
  if (last?.role === "tool") return { text: `It says ${text}` };
  return { calls: [{ name: "weather", arguments: { city: text }, callId: "w" }] };
};

const server: Reach<"url" | "method">[] = [{ to: "host", url: "url", method: "method" }];

/** An agent with a weather tool; `writes` makes that tool one that posts somewhere. */
function lab(
  options: { script?: Script; writes?: boolean; prompt?: string; host?: TestHostOptions; price?: ModelPrice } = {},
) {
  const { price = { input: 1_000, output: 1_000 } } = options;
  const model = scriptedModel(options.script ?? weatherScript, { price });
  const weather = testTool("weather", ({ city }) => ({ ok: true, output: `rain in ${String(city)}` }));
  const weatherNode = toolNodeOf("weather-tool", weather);
  const config = z.object({ url: z._default(z.string(), "https://a.test/"), method: z._default(z.string(), "POST") });
  const nodes = [
    chatTrigger,
    aiAgent,
    modelNodeOf("m", model),
    memoryNodeOf("mem", testMemory([])),
    options.writes ? { ...weatherNode, config, reach: server } : weatherNode,
  ];
  const document = buildWorkflow({
    nodes: {
      start: ["chat-trigger"],
      agent: ["ai-agent", { systemPrompt: options.prompt ?? "Help.", memoryErrors: "stop" }],
      model: ["m"],
      memory: ["mem"],
      weather: ["weather-tool", options.writes ? { url: "https://a.test/", method: "POST" } : {}],
    },
    edges: [
      "start.main -> agent.main",
      "model.model -> agent.model",
      "memory.memory -> agent.memory",
      "weather.tool -> agent.tools",
    ],
  });
  const registry: NodeRegistry = Object.fromEntries(nodes.map((node) => [node.type, node]));
  return { model, weather, document, registry, openHost: () => testHost(options.host) };
}

function suiteOf(rest: object) {
  const read = readSuite({ workflow: "w", dataset: "d", concurrency: 1, ...rest });
  if (!read.ok) throw new Error(read.problems.join("\n"));
  return read.suite;
}

function casesOf(...cases: object[]): EvaluationCase[] {
  const read = readCaseList(JSON.stringify(cases));
  if (!read.ok) throw new Error(read.problems.join("\n"));
  return read.cases;
}

const oslo = casesOf({ id: "oslo", input: "Oslo", expected: "rain in Oslo" });
const saysExpected = [{ type: "contains", value: "{{expected}}" }];
const signal = new AbortController().signal;

type Given = Partial<EvaluationOptions> & { suiteWith?: object };

async function evaluate(studio: ReturnType<typeof lab>, { suiteWith = {}, ...given }: Given = {}) {
  const runs: RunEvent[][] = [];
  const options: EvaluationOptions = {
    suite: suiteOf({ defaultAssert: saysExpected, ...suiteWith }),
    cases: oslo,
    document: studio.document,
    registry: studio.registry,
    openHost: studio.openHost,
    signal,
    onTrial: (_result, made) => void runs.push(...made.map((events) => [...events])),
    ...given,
  };
  const run = await runEvaluation(options);
  const summary = summarise({ suite: options.suite, name: "s", workflow: "w", cases: options.cases, run });
  return { ...run, summary, runs, options };
}

async function recordedOslo() {
  const { runs, results } = await evaluate(lab());
  expect(results).toMatchObject([{ status: "passed" }]);
  return recordingOf(runs[0] ?? []);
}

const statuses = (results: readonly TrialResult[]) => results.map(({ status }) => status);

it("warns of a judge that is the agent's own model", async () => {
  const studio = lab();
  const own = buildWorkflow({ nodes: { start: ["chat-trigger"], model: ["m", { model: "one" }] }, edges: [] });
  const withJudge = (model: string) => ({
    suite: suiteOf({ judge: { provider: "openai", model }, defaultAssert: saysExpected }),
    cases: oslo,
    document: own,
    registry: studio.registry,
    openHost: studio.openHost,
    signal,
  });
  expect(evaluationNotes(withJudge("one"))).toEqual([expect.stringContaining("own model, one")]);
  expect(evaluationNotes(withJudge("two"))).toEqual([]);
});

describe("an evaluation", () => {
  it("runs every case so many times, each with memories of its own, and checks what came of it", async () => {
    const studio = lab();
    const cases = [...oslo, ...casesOf({ id: "rome", input: { message: "Rome" }, expected: "sun" })];
    const { results, summary, planned } = await evaluate(studio, { cases, suiteWith: { trials: 3 } });
    expect(planned).toBe(6);
    // The first trial of every case comes first.
    expect(results.map(({ caseId, trial }) => `${caseId} ${trial}`)).toEqual(
      [1, 2, 3].flatMap((trial) => [`oslo ${trial}`, `rome ${trial}`]),
    );
    expect(results[1]).toMatchObject({
      status: "failed",
      score: 0,
      reason: expect.stringMatching(/^contains: .*"sun".*rain in Rome/),
      answer: "It says rain in Rome",
      tokens: 30,
      costUsd: 0.03,
    });
    expect(summary).toMatchObject({ status: "failed", spentUsd: expect.closeTo(0.18, 9) });
    expect(summary.variants[0]).toMatchObject({
      passRate: 0.5,
      alwaysFailing: ["rome"],
      cases: [
        { caseId: "oslo", state: "passing", words: "3 of 3 proves only ≥ 44 %.", passHat: { 1: 1, 2: 1, 3: 1 } },
        { caseId: "rome", state: "failing", passHat: { 1: 0, 2: 0, 3: 0 } },
      ],
    });
  });

  it("compares the versions of its matrix", async () => {
    const studio = lab();
    const matrix = [
      { name: "Polite", nodeId: "agent", systemPrompt: "Be kind." },
      { name: "Rude", nodeId: "agent", systemPrompt: "Be rude." },
    ];
    const { summary, results } = await evaluate(studio, { suiteWith: { matrix } });
    expect(results.map(({ variant }) => variant)).toEqual(["Polite", "Rude"]);
    expect(
      studio.model.requests.flatMap(({ messages }) =>
        messages.filter(({ role }) => role === "system").map(messageText),
      ),
    ).toEqual([
      expect.stringContaining("Be kind."),
      expect.stringContaining("Be kind."),
      expect.stringContaining("Be rude."),
      expect.stringContaining("Be rude."),
    ]);
    expect(summary.variants[1]?.comparison).toMatchObject({ against: '"Polite"', cases: 1, pValue: 1, worse: [] });
  });

  it("says what cannot be run", () => {
    const { document, registry, openHost } = lab();
    const problems = (suiteWith: object) =>
      evaluationProblems({ suite: suiteOf(suiteWith), cases: oslo, document, registry, openHost, signal }).join("\n");
    expect(problems({})).toBe("");
    expect(problems({ matrix: [{ nodeId: "nobody", model: "x" }] })).toContain('no node "nobody"');
    expect(problems({ matrix: [{ model: "x" }] })).toContain('has no setting "model"');
    expect(problems({ matrix: [{ provider: "acme", model: "x" }] })).toContain('no model provider "acme"');
    expect(problems({ matrix: [{ nodeId: "agent", maxIterations: -1 }] })).toContain('maxIterations -1: "agent"');
    expect(problems({ defaultAssert: [{ type: "not-llm-rubric", value: "x" }] })).toContain("judge");
    expect(problems({ defaultAssert: [{ type: "similar", value: "x" }] })).toContain("embeddings");
  });

  it("does not count what a vendor failed at, and shows it", async () => {
    let asked = 0;
    const studio = lab({
      script: (request) => {
        asked += 1;
        return asked <= 10 ? { error: { code: "rate_limit", message: "Too many requests." } } : weatherScript(request);
      },
    });
    const { summary, results } = await evaluate(studio, { suiteWith: { trials: 20 } });
    expect(statuses(results)).toContain("excluded");
    expect(statuses(results)).not.toContain("failed");
    const [variant] = summary.variants;
    expect(variant?.trials).toBe(20 - (variant?.excluded ?? 0));
    expect(variant?.excludedBy).toEqual({ rate_limit: variant?.excluded });
    expect(results[0]?.reason).toContain("Too many requests");
    expect(summary.status).toBe("passed");
  });

  it("ends at a refused credential", async () => {
    const studio = lab({ script: () => ({ error: { code: "invalid_credentials", message: "The key is wrong." } }) });
    const { summary, stopped } = await evaluate(studio, { suiteWith: { trials: 5 } });
    expect(studio.model.requests).toHaveLength(1);
    expect(stopped).toMatchObject({ by: "error", message: expect.stringContaining("The key is wrong.") });
    expect(summary.status).toBe("not-run");
  });

  it("S92 books each call with the budget, and makes no further trial where there is no room for one", async () => {
    // An answer costs half a cent here, and the input nothing.
    const cheap = () => lab({ price: { input: 0, output: 1_000 } });
    const { results, stopped, planned } = await evaluate(cheap(), { suiteWith: { trials: 9, maxCostUsd: 0.05 } });
    expect([planned, stopped?.by]).toEqual([9, "cost"]);
    expect(results.map(({ status }) => status)).toEqual(["passed", "passed", "passed", "excluded"]);
    expect(results.at(-1)).toMatchObject({ excludedBy: "budget" });
    const studio = cheap();
    const parallel = await evaluate(studio, { suiteWith: { trials: 9, maxCostUsd: 0.05, concurrency: 4 } });
    expect(parallel.results.reduce((sum, { spentUsd }) => sum + (spentUsd ?? 0), 0)).toBeLessThanOrEqual(0.05);
    expect(studio.model.requests.every(({ maxOutputTokens = Infinity }) => maxOutputTokens <= 50)).toBe(true);
    // What is spent stays spent when the evaluation is gone on with.
    const again = await evaluate(cheap(), { suiteWith: { trials: 9, maxCostUsd: 0.05 }, done: results });
    expect(again.results.filter(({ status }) => status === "passed")).toHaveLength(3);
  });

  it("S92 refuses a budget where the price of a model is not known, of the workflow's or the suite's own", () => {
    const document = buildWorkflow({
      nodes: {
        start: ["chat-trigger"],
        agent: ["ai-agent", {}],
        model: ["openai-compatible-model", { model: "llama" }],
      },
      edges: ["start.main -> agent.main", "model.model -> agent.model"],
    });
    const problems = (more: object, config: JsonObject = {}) => {
      const model = document.nodes["model"];
      const changed = model
        ? { ...document, nodes: { ...document.nodes, model: { ...model, config: { ...model.config, ...config } } } }
        : document;
      return evaluationProblems({
        suite: suiteOf(more),
        cases: [],
        document: changed,
        registry: nodeRegistry,
        openHost: () => testHost(),
        signal: new AbortController().signal,
      }).filter((problem) => problem.includes("price"));
    };
    const judge = { provider: "openai-compatible", model: "judge-1" };
    expect(problems({})).toEqual([]);
    expect(problems({ maxCostUsd: 1 })).toEqual([expect.stringContaining("The price of llama is not known")]);
    const free = { inputPrice: 0, outputPrice: 0 };
    expect(problems({ maxCostUsd: 1, judge }, free)).toEqual([expect.stringContaining("judge-1")]);
    expect(problems({ maxCostUsd: 1, judge: { ...judge, ...free } }, free)).toEqual([]);
  });

  it("goes on where it was left, and tries again what did not count", async () => {
    const first = await evaluate(lab(), { suiteWith: { trials: 2 } });
    const [kept, excluded] = first.results;
    if (!kept || !excluded) throw new Error("There should be two results.");
    const studio = lab();
    const done = [kept, { ...excluded, status: "excluded" as const }, { ...kept, caseId: "gone" }];
    const second = await evaluate(studio, { suiteWith: { trials: 2 }, done });
    expect(studio.model.requests).toHaveLength(2);
    expect(second.results.map(({ trial, runId }) => [trial, runId === kept.runId])).toEqual([
      [1, true],
      [2, expect.anything()],
    ]);
    expect(second.results).toHaveLength(2);
  });

  it("gives up trials under way when it is stopped", async () => {
    const controller = new AbortController();
    const studio = lab({
      script: (_request, index) => {
        if (index === 1) controller.abort();
        return index === 0 ? { text: "rain in Oslo" } : { hang: true };
      },
    });
    const { results, stopped } = await evaluate(studio, { signal: controller.signal, suiteWith: { trials: 3 } });
    expect([statuses(results), stopped?.by]).toEqual([["passed"], "cancelled"]);
  });

  it("fails a run that failed, unless its end is what is asserted", async () => {
    const script: Script = () => ({ error: { code: "context_length", message: "It does not fit." } });
    const failed = await evaluate(lab({ script }));
    expect(failed.results).toMatchObject([
      { status: "failed", reason: expect.stringMatching(/^The run failed: .*It does not fit/) },
    ]);
    const asserted = { defaultAssert: [{ type: "finish-reason", value: "context_length" }] };
    const cases = casesOf({ id: "oslo", input: "Oslo" });
    expect(statuses((await evaluate(lab({ script }), { cases, suiteWith: asserted })).results)).toEqual(["passed"]);
  });

  it("lets an assertion of weight 0 decide nothing, and weighs the score", async () => {
    const defaultAssert = [
      { type: "contains", value: "rain", weight: 3 },
      { type: "contains", value: "snow", weight: 0, metric: "Snow" },
      { type: "contains", value: "Oslo" },
    ];
    const { results } = await evaluate(lab(), { suiteWith: { defaultAssert } });
    expect(results[0]).toMatchObject({
      status: "passed",
      score: 1,
      // The answer is compared with what is expected, too, since none of these does.
      assertions: [{}, { metric: "Snow", pass: false }, {}, { type: "expected", pass: true }],
    });
  });

  it("does not count what could not be judged, and counts what a judge costs", async () => {
    const suiteWith = {
      judge: { provider: "p", model: "m" },
      defaultAssert: [{ type: "llm-rubric", value: "Names the city." }],
    };
    const judged = await evaluate(lab(), {
      suiteWith,
      openServices: () => ({
        judge: () => Promise.resolve({ pass: true, score: 1, reason: "It does." }),
        cost: () => 0.5,
      }),
    });
    expect(judged.results).toMatchObject([{ status: "passed", spentUsd: expect.closeTo(0.53, 9) }]);
    const unjudged = await evaluate(lab(), {
      suiteWith,
      openServices: () => ({ judge: () => Promise.reject(new Error("No judge today.")), cost: () => 0 }),
    });
    expect(unjudged.results).toMatchObject([{ status: "excluded", reason: expect.stringContaining("No judge today") }]);
  });
});

describe("replay all", () => {
  it("asks neither a model nor a tool, and does the rest anew", async () => {
    const recording = await recordedOslo();
    const again = lab();
    const { results } = await evaluate(again, {
      suiteWith: { replay: "all", trials: 5 },
      recordingsOf: () => Promise.resolve([recording]),
    });
    // The same recording twice proves nothing more.
    expect(results).toMatchObject([{ status: "passed", answer: "It says rain in Oslo", costUsd: 0.03, spentUsd: 0 }]);
    expect([again.model.requests, again.weather.inputs]).toEqual([[], []]);
  });

  it("notices that the workflow asks something else now", async () => {
    const recording = await recordedOslo();
    const changed = lab({ prompt: "Help, but differently." });
    const recordingsOf = () => Promise.resolve([recording]);
    const { results, summary } = await evaluate(changed, { suiteWith: { replay: "all" }, recordingsOf });
    expect(results).toMatchObject([
      { status: "failed", reason: expect.stringContaining("something different"), misses: 1 },
    ]);
    expect([changed.model.requests, summary.status]).toEqual([[], "failed"]);
    const live = await evaluate(changed, { suiteWith: { replay: "all", onMiss: "live" }, recordingsOf });
    expect(live.results).toMatchObject([{ status: "passed" }]);
    expect(live.results[0]?.misses).toBeGreaterThan(0);
    expect(changed.model.requests.length).toBeGreaterThan(0);
  });

  it("fails a case that has no recording, without running it", async () => {
    const studio = lab();
    const { results } = await evaluate(studio, {
      suiteWith: { replay: "all" },
      recordingsOf: () => Promise.resolve([]),
    });
    expect(results).toMatchObject([{ status: "failed", reason: expect.stringContaining("no recording") }]);
    expect(studio.model.requests).toEqual([]);
  });

  it("fails where the recording breaks off", async () => {
    const recording = await recordedOslo();
    const cut = recording.events.findIndex(({ type }) => type === "tool-call-end");
    const studio = lab();
    const recordingsOf = () => Promise.resolve([{ ...recording, events: recording.events.slice(0, cut) }]);
    const { results } = await evaluate(studio, { suiteWith: { replay: "all" }, recordingsOf });
    expect(results).toMatchObject([{ status: "failed", reason: expect.stringContaining("no call of weather") }]);
    expect([studio.model.requests, studio.weather.inputs]).toEqual([[], []]);
  });
});

describe("replay tools", () => {
  it("asks the model, and serves tools by agent, name, arguments and turn", async () => {
    const recording = await recordedOslo();
    const again = lab();
    const { results } = await evaluate(again, {
      suiteWith: { replay: "tools", trials: 2 },
      recordingsOf: () => Promise.resolve([recording]),
    });
    expect(statuses(results)).toEqual(["passed", "passed"]);
    expect([again.model.requests.length, again.weather.inputs]).toEqual([4, []]);
  });

  it("hands out equal calls in their order, and no call twice", async () => {
    const twice: Script = ({ messages }, index) => {
      const results = messages.filter(({ role }) => role === "tool").map(messageText);
      if (results.length < 2) return { calls: [{ name: "weather", arguments: { city: "Oslo" }, callId: `c${index}` }] };
      return { text: results.join(" then ") };
    };
    const first = lab({ script: twice });
    let told = 0;
    first.weather.execute = () => Promise.resolve({ ok: true, output: `rain in Oslo ${(told += 1)}` });
    const { runs, results } = await evaluate(first, {
      cases: casesOf({ id: "oslo", input: "x", expected: "rain in Oslo 1 then rain in Oslo 2" }),
    });
    expect(statuses(results)).toEqual(["passed"]);
    const recordingsOf = () => Promise.resolve([recordingOf(runs[0] ?? [])]);
    const again = lab({ script: twice });
    const served = await evaluate(again, { suiteWith: { replay: "tools" }, recordingsOf });
    expect(served.results).toMatchObject([{ answer: "rain in Oslo 1 then rain in Oslo 2" }]);
    const more: Script = ({ messages }, index) => {
      const calls = messages.filter(({ role }) => role === "tool").length;
      return calls < 3
        ? { calls: [{ name: "weather", arguments: { city: "Oslo" }, callId: `c${index}` }] }
        : { text: "Done." };
    };
    const third = lab({ script: more });
    const missed = await evaluate(third, { suiteWith: { replay: "tools" }, recordingsOf });
    expect(missed.results).toMatchObject([{ status: "failed", reason: expect.stringContaining("no call of weather") }]);
    expect(third.weather.inputs).toEqual([]);
  });

  it("lets a call that is not recorded fail, be made, or be asked for", async () => {
    const recording = await recordedOslo();
    const rome = casesOf({ id: "rome", input: "Rome", expected: "Rome" });
    const attempt = async (onMiss: string, host: TestHostOptions = {}) => {
      const studio = lab({ host });
      const { results } = await evaluate(studio, {
        cases: rome,
        suiteWith: { replay: "tools", onMiss },
        recordingsOf: () => Promise.resolve([recording]),
      });
      return [results[0]?.status, studio.weather.inputs.length, results[0]?.misses];
    };
    expect(await attempt("fail")).toEqual(["failed", 0, 1]);
    expect(await attempt("live")).toEqual(["passed", 1, 1]);
    expect(await attempt("ask")).toEqual(["passed", 1, 0]);
    const refuse = { approve: () => ({ approved: false as const, reason: "No." }) };
    expect(await attempt("ask", refuse)).toEqual(["failed", 0, 0]);
  });
});

describe("tools that write", () => {
  it.each(["none", "tools"])("are not called with replay %s unless the suite names them", async (replay) => {
    const suiteWith = { replay, onMiss: "live" };
    const studio = lab({ writes: true });
    const { results } = await evaluate(studio, { suiteWith });
    expect(results).toMatchObject([
      { status: "failed", reason: expect.stringContaining("weather may change something") },
    ]);
    expect(studio.weather.inputs).toEqual([]);
    const named = await evaluate(studio, { suiteWith: { ...suiteWith, liveTools: ["weather"] } });
    expect(statuses(named.results)).toEqual(["passed"]);
    expect(studio.weather.inputs).toHaveLength(1);
  });

  it("are served from the recording without being named", async () => {
    const first = lab({ writes: true });
    const { runs } = await evaluate(first, { suiteWith: { liveTools: ["weather"] } });
    const again = lab({ writes: true });
    const { results } = await evaluate(again, {
      suiteWith: { replay: "tools" },
      recordingsOf: () => Promise.resolve([recordingOf(runs[0] ?? [])]),
    });
    expect([statuses(results), again.weather.inputs]).toEqual([["passed"], []]);
  });
});

describe("a node of the flow that calls a server", () => {
  function withServer(method: string) {
    const calls: Json[] = [];
    const post = defineNode({
      type: "post",
      version: 1,
      role: "flow",
      title: "Post",
      summary: "For tests.",
      icon: "box",
      config: z.object({ url: z._default(z.string(), ""), method: z._default(z.string(), "") }),
      inputs: { main: one("main") },
      outputs: { main: out("main") },
      reach: server,
      run({ json }): Json {
        calls.push(json);
        return { sent: calls.length };
      },
    });
    const document = buildWorkflow({
      nodes: { start: ["chat-trigger"], post: ["post", { url: "https://a.test/", method }] },
      edges: ["start.main -> post.main"],
    });
    const registry: NodeRegistry = { "chat-trigger": chatTrigger, post };
    return { ...lab(), document, registry, calls };
  }
  const cases = casesOf({ id: "one", input: "Hi", expected: '"sent":1' });

  it("is served by its input, or is a miss", async () => {
    const first = withServer("GET");
    const { runs, results } = await evaluate(first, { cases });
    expect([statuses(results), first.calls.length]).toEqual([["passed"], 1]);
    const recordingsOf = () => Promise.resolve([recordingOf(runs[0] ?? [])]);
    for (const replay of ["tools", "all"]) {
      const again = withServer("GET");
      const served = await evaluate(again, { cases, suiteWith: { replay }, recordingsOf });
      expect([statuses(served.results), again.calls]).toEqual([["passed"], []]);
      const other = casesOf({ id: "one", input: "Ho", expected: "sent" });
      const missed = await evaluate(again, { cases: other, suiteWith: { replay }, recordingsOf });
      expect(missed.results).toMatchObject([
        { status: "failed", reason: expect.stringContaining('"post" was not used') },
      ]);
      expect(again.calls).toEqual([]);
      const live = await evaluate(again, { cases: other, suiteWith: { replay, onMiss: "live" }, recordingsOf });
      expect([statuses(live.results), again.calls.length]).toEqual([["passed"], 1]);
    }
  });

  it("does not write unless it is named", async () => {
    const studio = withServer("POST");
    const refused = await evaluate(studio, { cases });
    expect(refused.results).toMatchObject([
      { status: "failed", reason: expect.stringContaining("may change something") },
    ]);
    const named = await evaluate(studio, { cases, suiteWith: { liveTools: ["post"] } });
    expect([statuses(named.results), studio.calls.length]).toEqual([["passed"], 1]);
  });
});

describe("a trial that nothing checks", () => {
  const bare = casesOf({ id: "bare", input: "Oslo" });
  const evaluateBare = (suiteWith: object = {}, cases = bare) =>
    evaluate(lab(), { cases, suiteWith: { defaultAssert: [], ...suiteWith } });

  it("is unchecked, counts neither way, and opens no gate", async () => {
    const { results, summary } = await evaluateBare({ trials: 3 });
    expect(statuses(results)).toEqual(["unchecked", "unchecked", "unchecked"]);
    expect(results[0]).toMatchObject({ score: 0, reason: expect.stringContaining("Nothing was checked") });
    expect(summary).toMatchObject({
      status: "unchecked",
      variants: [{ passRate: null, trials: 0, unchecked: 3, words: "Nothing was checked, so nothing is known." }],
    });
    expect(summary.variants[0]?.cases[0]).toMatchObject({ state: "unchecked", passed: 0, trials: 0, unchecked: 3 });
    for (const gate of [{ passRate: 0 }, { maxCostUsd: 1 }, { noWorse: true }]) {
      const gated = await evaluateBare({ gate });
      expect(gated.summary.status).toBe("unchecked");
      expect(gated.summary.variants[0]?.gate.status).toBe("too-little-evidence");
    }
    // Compared with a result that checked something, too.
    const { options, ...run } = await evaluateBare({ gate: { noWorse: true } });
    const { summary: baseline } = await evaluateBare({}, casesOf({ id: "bare", input: "Oslo", expected: "Oslo" }));
    const compared = summarise({ suite: options.suite, name: "s", workflow: "w", cases: bare, run, baseline });
    expect(compared.status).toBe("unchecked");
  });

  it("keeps a suite from passing that checks its other cases, and says which cases it is about", async () => {
    const cases = [...oslo, ...bare];
    const { summary, options } = await evaluate(lab(), { cases, suiteWith: { defaultAssert: [] } });
    expect(summary).toMatchObject({ status: "unchecked", variants: [{ passRate: 1, trials: 1, unchecked: 1 }] });
    expect(summary.variants[0]?.words).toContain("1 trial was not checked.");
    expect(evaluationNotes(options)).toEqual([expect.stringContaining('"bare" checks nothing')]);
    const failing = await evaluate(lab({ script: () => ({ text: "snow" }) }), {
      cases,
      suiteWith: { defaultAssert: [] },
    });
    expect(failing.summary.status).toBe("failed");
  });

  it("is one whose assertions have nothing to look for, or no weight", async () => {
    const asserted = [
      { type: "contains", value: "" },
      { type: "not-icontains", value: " " },
      { type: "contains-all", value: [""] },
      { type: "starts-with", value: "" },
      { type: "regex", value: "" },
      { type: "step-count", value: {} },
      { type: "tool-used", value: { name: "weather", min: 0 } },
      { type: "contains", value: "Oslo", weight: 0 },
      { type: "expected", value: "judge", weight: 0 },
    ];
    for (const assertion of asserted) {
      const { results } = await evaluate(lab(), {
        cases: casesOf({ id: "one", input: "Oslo" }),
        suiteWith: { defaultAssert: [assertion], judge: { provider: "p", model: "m" } },
        openServices: () => ({ cost: () => 0, judge: () => Promise.resolve({ pass: true, score: 1, reason: "" }) }),
      });
      expect([assertion.type, ...statuses(results)]).toEqual([assertion.type, "unchecked"]);
    }
    for (const expected of ["", " \n", null, [], {}])
      expect(statuses((await evaluateBare({}, casesOf({ id: "one", input: "Oslo", expected }))).results)).toEqual([
        "unchecked",
      ]);
  });

  it("fails where its run does", async () => {
    const script: Script = () => ({ error: { code: "context_length", message: "It does not fit." } });
    const { results } = await evaluate(lab({ script }), { cases: bare, suiteWith: { defaultAssert: [] } });
    expect(statuses(results)).toEqual(["failed"]);
  });

  it("is unchecked in results that were stored as passed, which are counted anew", async () => {
    const { summary } = await evaluate(lab(), { cases: [...oslo, ...bare], suiteWith: { defaultAssert: [] } });
    const old = {
      ...summary,
      status: "passed",
      trials: summary.trials.map((trial) => ({ ...trial, status: "passed", assertions: [] })),
      variants: summary.variants.map((variant) => ({
        ...variant,
        unchecked: 0,
        cases: variant.cases.map((one) => ({ ...one, passed: 1, trials: 1, unchecked: 0, state: "passing" })),
      })),
    };
    const read = recounted(evaluationSchema.parse(JSON.parse(JSON.stringify(old))));
    expect(read.status).toBe("unchecked");
    expect(read.variants[0]?.cases).toMatchObject([{ state: "unchecked" }, { state: "unchecked" }]);
    expect(recounted(summary)).toBe(summary);
  });
});

describe("a case's expected answer", () => {
  const answering = async (text: string, one: object, suiteWith: object = { defaultAssert: [] }) => {
    const cases = casesOf({ id: "one", input: "Oslo", ...one });
    const { results } = await evaluate(lab({ script: () => ({ text }) }), { cases, suiteWith });
    return [results[0]?.status, results[0]?.assertions.map(({ type }) => type).join(" ")];
  };

  it("is compared by itself: it has to be in the answer", async () => {
    expect(await answering("It rains in  Oslo today.", { expected: "rains in oslo" })).toEqual(["passed", "expected"]);
    expect(await answering("Sunny.", { expected: "rains in Oslo" })).toEqual(["failed", "expected"]);
    expect(await answering("42", { expected: 4 })).toEqual(["failed", "expected"]);
    // Beside what looks at something else, too.
    const tokens = { defaultAssert: [{ type: "tokens", threshold: 1_000_000 }] };
    expect(await answering("Sunny.", { expected: "Oslo" }, tokens)).toEqual(["failed", "tokens expected"]);
  });

  it("is left to the assertions that look at it, and kept for reference in a case that a run made", async () => {
    for (const assertion of [
      { type: "contains", value: "{{ expected.city }}" },
      { type: "cel", value: "output.contains(expected.city)" },
      { type: "expected", value: "contains", weight: 0 },
    ]) {
      const [, types] = await answering("Oslo", { expected: { city: "Oslo" }, assert: [assertion] });
      expect(types).toBe(assertion.type);
    }
    const source = { runId: "run-1" };
    const assert = [{ type: "tokens", threshold: 1_000_000 }];
    expect(await answering("Sunny.", { expected: "Rain.", source, assert })).toEqual(["passed", "tokens"]);
    expect(await answering("Sunny.", { expected: "Rain.", source })).toEqual(["failed", "expected"]);
  });

  it("is compared as the case chooses: equal, or in meaning by the judge that the suite needs then", async () => {
    const equals = { expected: "Rain", assert: [{ type: "expected", value: "equals" }] };
    expect(await answering(" Rain\n", equals)).toEqual(["passed", "expected"]);
    expect(await answering("Rain today", equals)).toEqual(["failed", "expected"]);
    const cases = casesOf({ id: "one", input: "x", expected: "Rain", assert: [{ type: "expected", value: "judge" }] });
    const rubrics: string[] = [];
    const judge = ({ rubric }: { rubric: string }) => {
      rubrics.push(rubric);
      return Promise.resolve({ pass: true, score: 1, reason: "Yes." });
    };
    const suiteWith = { defaultAssert: [], judge: { provider: "p", model: "m" } };
    const { results, options } = await evaluate(lab(), {
      cases,
      suiteWith,
      openServices: () => ({ cost: () => 0, judge }),
    });
    expect([statuses(results), rubrics]).toEqual([["passed"], [expect.stringContaining('"Rain"')]]);
    expect(evaluationProblems(options)).toEqual([]);
    const { judge: _judge, ...withoutJudge } = options.suite;
    expect(evaluationProblems({ ...options, suite: withoutJudge })).toEqual([expect.stringContaining('"judge"')]);
  });
});

describe("the gate", () => {
  const right = { text: "rain in Oslo" };
  const gated = async (script: Script, suiteWith: object) => {
    const { summary } = await evaluate(lab({ script }), { suiteWith });
    return [summary.status, ...(summary.variants[0]?.gate.checks.map(({ name, status }) => `${name} ${status}`) ?? [])];
  };

  it("passes when the lower bound reaches the pass rate", async () => {
    expect(await gated(() => right, { trials: 35, gate: { passRate: 0.9 } })).toEqual(["passed", "passRate passed"]);
  });

  it("tells too little evidence from failing", async () => {
    const few = { trials: 34, gate: { passRate: 0.9 } };
    expect(await gated(() => right, few)).toEqual(["too-little-evidence", "passRate too-little-evidence"]);
    // Nothing passed: that is known well enough.
    expect(await gated(() => ({ text: "snow" }), few)).toEqual(["failed", "passRate failed"]);
    const once: Script = (_request, index) => (index === 3 ? { text: "snow" } : right);
    expect(await gated(once, { trials: 36, gate: { passRate: 0.9 } })).toEqual(["failed", "passRate failed"]);
    expect(await gated(() => right, { trials: 5, gate: { passRate: 1 } })).toEqual([
      "too-little-evidence",
      "passRate too-little-evidence",
    ]);
  });

  it("bounds cost and time, and skips a comparison with nothing", async () => {
    const gate = { maxCostUsd: 0.015, p95LatencyMs: 60_000, noWorse: true };
    expect(await gated(() => right, { gate })).toEqual([
      "passed",
      "passRate passed",
      "maxCostUsd passed",
      "p95LatencyMs passed",
      "noWorse skipped",
    ]);
    expect(await gated(() => right, { gate: { maxCostUsd: 0.0149 } })).toEqual([
      "failed",
      "passRate passed",
      "maxCostUsd failed",
    ]);
  });

  it("asks for every trial where there is nothing to compare with", async () => {
    const script: Script = () => ({ text: "snow" });
    expect(await gated(script, { gate: { noWorse: true } })).toEqual(["failed", "passRate failed", "noWorse skipped"]);
  });

  it("asks for every trial where it bounds only cost and time", async () => {
    const bounds = { trials: 2, gate: { maxCostUsd: 1, p95LatencyMs: 60_000 } };
    expect((await gated(() => right, bounds))[0]).toBe("passed");
    const once: Script = (_request, index) => (index === 1 ? { text: "snow" } : right);
    expect((await gated(once, bounds)).slice(0, 2)).toEqual(["failed", "passRate failed"]);
  });

  it("finds what is worse than in the baseline", async () => {
    const suiteWith = { gate: { noWorse: true } };
    const { summary: baseline } = await evaluate(lab({ script: () => right }), { suiteWith });
    const { options, ...run } = await evaluate(lab({ script: () => ({ text: "snow" }) }), { suiteWith });
    const summary = summarise({ suite: options.suite, name: "s", workflow: "w", cases: oslo, run, baseline });
    expect(summary.variants[0]).toMatchObject({
      gate: { status: "failed", checks: [{ name: "noWorse", message: expect.stringContaining("oslo") }] },
      comparison: { against: "the baseline", worse: ["oslo"], difference: -1, method: "McNemar" },
    });
  });
});

describe("a scripted vendor with known pass probabilities", () => {
  it("gives intervals that cover them: 20 cases with 5 trials each", async () => {
    const random = seededRandom(8);
    const probabilities = Array.from({ length: 20 }, (_, index) => 0.5 + index / 40);
    const studio = lab({
      script({ messages }) {
        const at = Number(
          messages.flatMap((message) => (message.role === "user" ? [messageText(message)] : [])).at(-1),
        );
        return { text: random() < (probabilities[at] ?? 0) ? "right" : "wrong" };
      },
    });
    const cases = casesOf(...probabilities.map((_, index) => ({ id: `case ${index}`, input: String(index) })));
    const suiteWith = { trials: 5, concurrency: 4, defaultAssert: [{ type: "equals", value: "right" }] };
    const truth = probabilities.reduce((sum, each) => sum + each, 0) / probabilities.length;
    let covered = 0;
    for (let round = 0; round < 10; round += 1) {
      const { summary, results } = await evaluate(studio, { cases, suiteWith });
      expect(results).toHaveLength(100);
      const { low, high } = summary.variants[0]?.interval ?? { low: 1, high: 0 };
      if (low <= truth && truth <= high) covered += 1;
    }
    expect(covered).toBeGreaterThanOrEqual(9);
  });
});
