import { describe, expect, it } from "vitest";
import { aiAgent } from "../../nodes/agent/ai-agent.ts";
import { chatTrigger } from "../../nodes/triggers/chat-trigger.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { ModelRequest } from "../../engine/model/chat-model.ts";
import { messageText } from "../../engine/model/message.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import { recordingOf } from "../../engine/run/replay/recording.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { testMemory } from "../../engine/testing/run-scripted-agent.ts";
import { type Script, scriptedModel } from "../../engine/testing/scripted-model.ts";
import { memoryNodeOf, modelNodeOf } from "../../engine/testing/service-node.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { createSimulatedUser } from "../judge/simulated-user.ts";
import { readCaseLines, readCaseTable } from "../suite/evaluation-case.ts";
import { readSuite } from "../suite/suite.ts";
import { type EvaluationOptions, evaluationProblems, runEvaluation } from "./run-evaluation.ts";

/** Says how many messages of the user it has seen, and the first of them. */
const remembers = ({ messages }: ModelRequest) => {
  const said = messages.filter(({ role }) => role === "user").map(messageText);
  return { text: `${said.length}: ${said[0]}` };
};

async function evaluate(
  given: { case: object; suite?: object; script?: Script } & Partial<Omit<EvaluationOptions, "suite">>,
) {
  const { case: evaluationCase, suite = {}, script = remembers, ...rest } = given;
  const memory = testMemory([]);
  const model = scriptedModel(script, { price: { input: 1_000, output: 1_000 } });
  const nodes = [chatTrigger, aiAgent, modelNodeOf("m", model), memoryNodeOf("mem", memory)];
  const registry: NodeRegistry = Object.fromEntries(nodes.map((node) => [node.type, node]));
  const document = buildWorkflow({
    nodes: { start: ["chat-trigger"], agent: ["ai-agent"], model: ["m"], memory: ["mem"] },
    edges: ["start.main -> agent.main", "model.model -> agent.model", "memory.memory -> agent.memory"],
  });
  const read = readSuite({ workflow: "w", dataset: "d", concurrency: 1, ...suite });
  const cases = readCaseLines(JSON.stringify({ id: "talk", ...evaluationCase }));
  if (!read.ok || !cases.ok) throw new Error("The suite or its case cannot be read.");
  const runs: RunEvent[][] = [];
  const options: EvaluationOptions = {
    suite: read.suite,
    cases: cases.cases,
    document,
    registry,
    openHost: () => testHost(),
    signal: new AbortController().signal,
    onTrial: (_result, made) => void runs.push(...made.map((events) => [...events])),
    ...rest,
  };
  const { results } = await runEvaluation(options);
  return { results, runs, memory, model, problems: evaluationProblems(options) };
}

const twoMore = { input: { message: "I am Ada.", sessionId: "s" }, turns: ["What is 2 + 2?", "Who am I?"] };
const saysAda = { defaultAssert: [{ type: "contains", value: "3: I am Ada." }] };

describe("a case of several messages", () => {
  it("goes on with the conversation, costs all of it together, and writes to no memory", async () => {
    const { results, runs, memory } = await evaluate({ case: twoMore, suite: { ...saysAda, trials: 2 } });
    expect(results.map(({ status, answer }) => [status, answer])).toEqual([
      ["passed", "3: I am Ada."],
      ["passed", "3: I am Ada."],
    ]);
    expect(runs).toHaveLength(6);
    expect(results[0]).toMatchObject({ tokens: 45, costUsd: expect.closeTo(0.045, 9), runId: runs[2]?.[0]?.runId });
    expect(memory.writes).toEqual([]);
  });

  it("ends with the first run that fails", async () => {
    const script: Script = (request, index) =>
      index === 1 ? { error: { code: "content_filter", message: "No." } } : remembers(request);
    const { results, runs } = await evaluate({ case: twoMore, script });
    expect(runs).toHaveLength(2);
    expect(results).toMatchObject([{ status: "failed", reason: expect.stringContaining("The run failed: No.") }]);
  });

  it("shows a judge and CEL what was said", async () => {
    const asked: unknown[] = [];
    const { results } = await evaluate({
      case: twoMore,
      suite: {
        judge: { provider: "openai", model: "m" },
        defaultAssert: [
          { type: "llm-rubric", value: "Knows the name." },
          { type: "cel", value: 'turns.size() == 3 && turns[1].input == "What is 2 + 2?"' },
        ],
      },
      openServices: () => ({
        cost: () => 0,
        judge(question) {
          asked.push(question.input);
          return Promise.resolve({ pass: true, score: 1, reason: "" });
        },
      }),
    });
    expect(results).toMatchObject([{ status: "passed" }]);
    expect(asked).toEqual([
      [
        { user: "I am Ada." },
        { agent: "1: I am Ada." },
        { user: "What is 2 + 2?" },
        { agent: "2: I am Ada." },
        { user: "Who am I?" },
      ],
    ]);
  });

  it("is served from the recorded conversations, one for each trial", async () => {
    const { runs } = await evaluate({ case: twoMore, suite: { trials: 2 } });
    const never: Script = () => ({ text: "This was not recorded." });
    const { results, model } = await evaluate({
      case: twoMore,
      suite: { ...saysAda, trials: 2, replay: "all" },
      script: never,
      recordingsOf: () => Promise.resolve(runs.map((events) => recordingOf(events))),
    });
    expect(results.map(({ status, misses }) => [status, misses])).toEqual([
      ["passed", 0],
      ["passed", 0],
    ]);
    expect(model.requests).toEqual([]);
  });
});

describe("a simulated user", () => {
  const played = { input: "Hello.", user: { goal: "Get a refund.", maxTurns: 3 } };

  it("says what comes next until it is done, and counts what it costs", async () => {
    const replies = [
      { done: false, message: "I want a refund." },
      { done: true, message: "" },
    ];
    const user = scriptedModel((_request, index) => ({ text: JSON.stringify(replies[index]) }), {
      price: { input: 1_000, output: 1_000 },
    });
    let cost = 0;
    const { results, runs } = await evaluate({
      case: played,
      suite: { simulatedUser: { provider: "openai", model: "m" } },
      openServices: () => ({
        cost: () => cost,
        simulatedUser: createSimulatedUser(user, (usd) => (cost += usd ?? 0)),
      }),
    });
    expect(runs.map((events) => events[0])).toMatchObject([
      { input: { message: "Hello." } },
      { input: { message: "I want a refund." } },
    ]);
    expect(results).toMatchObject([{ answer: "2: Hello.", spentUsd: expect.closeTo(0.06, 9) }]);
    expect(JSON.stringify(user.requests[1]?.messages)).toContain("1: Hello.");
  });

  it("stops after so many messages, and is not asked where a recording answers", async () => {
    const openServices = () => ({ cost: () => 0, simulatedUser: () => Promise.resolve("More.") });
    const suite = { simulatedUser: { provider: "openai", model: "m" } };
    const { runs } = await evaluate({ case: played, suite, openServices });
    expect(runs).toHaveLength(4);
    const served = await evaluate({
      case: played,
      suite: { replay: "all" },
      recordingsOf: () => Promise.resolve(runs.map((events) => recordingOf(events))),
    });
    expect(served.runs).toHaveLength(4);
    expect(served.model.requests).toEqual([]);
  });

  it("does not count against the agent when it fails, and is asked for in the suite", async () => {
    const { results } = await evaluate({
      case: played,
      suite: { simulatedUser: { provider: "openai", model: "m" } },
      openServices: () => ({
        cost: () => 0,
        simulatedUser: createSimulatedUser(scriptedModel([{ text: "What?" }]), () => {}),
      }),
    });
    expect(results).toMatchObject([
      { status: "excluded", reason: expect.stringMatching(/^The simulated user could not speak: .*JSON/) },
    ]);
    const { problems } = await evaluate({ case: played });
    expect(problems).toEqual([expect.stringContaining('the suite needs a "simulatedUser"')]);
  });
});

describe("a dataset", () => {
  it("has the messages of a conversation in a column of its table", () => {
    const read = readCaseTable([
      ["id", "input", "turns"],
      ["talk", "Hello.", '["And then?"]'],
    ]);
    expect(read).toMatchObject({ ok: true, cases: [{ id: "talk", turns: ["And then?"] }] });
  });

  it("refuses a case with both, and says so", () => {
    const both = { id: "a", input: "x", turns: ["y"], user: { goal: "z" } };
    expect(readCaseLines(JSON.stringify(both))).toEqual({
      ok: false,
      problems: [expect.stringContaining('A case has "turns" or a "user", not both')],
    });
  });
});
