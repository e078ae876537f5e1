import { describe, expect, it } from "vitest";
import { z } from "zod/mini";
import { aiAgent } from "../../nodes/agent/ai-agent.ts";
import { forEach } from "../../nodes/flow/for-each.ts";
import { setFields } from "../../nodes/flow/set-fields.ts";
import { chatTrigger } from "../../nodes/triggers/chat-trigger.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { Reach } from "../../engine/document/reach.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { ModelRequest } from "../../engine/model/chat-model.ts";
import { messageText } from "../../engine/model/message.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import { recordingOf } from "../../engine/run/replay/recording.ts";
import { runWorkflow } from "../../engine/run/run-workflow.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { ofType, startedNodes } from "../../engine/testing/collect-run.ts";
import { testTool } from "../../engine/testing/run-scripted-agent.ts";
import { type ScriptedTurn, scriptedModel } from "../../engine/testing/scripted-model.ts";
import { modelNodeOf, toolNodeOf } from "../../engine/testing/service-node.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { canBeginAt } from "../suite/case-start.ts";
import { type EvaluationCase, readCaseList } from "../suite/evaluation-case.ts";
import { proposeCase } from "../suite/propose-case.ts";
import { type StepPlace, stepOfRun } from "../suite/step-of-run.ts";
import { readSuite } from "../suite/suite.ts";
import { evaluationNotes, type EvaluationOptions, runEvaluation } from "./run-evaluation.ts";

const writes: Reach<"url" | "method">[] = [{ to: "host", url: "url", method: "method" }];

/** A workflow whose agent asks for the weather in the city of the question, then in Rome, and tells both. */
function lab(options: { prompt?: string; writes?: boolean; perItem?: boolean } = {}) {
  const model = scriptedModel(({ messages }: ModelRequest): ScriptedTurn => {
    const results = messages.filter(({ role }) => role === "tool").map(messageText);
    if (results.length === 2) return { text: `It says: ${results.join(", ")}.` };
    const question = messages.find(({ role }) => role === "user");
    const city = results.length === 1 ? "Rome" : (question ? messageText(question) : "").split(" ")[0];
    return { calls: [{ name: "weather", arguments: { city: city ?? "" }, callId: `call-${results.length}` }] };
  });
  const weather = testTool("weather", ({ city }) => ({
    ok: true,
    output: `${String(city).length} degrees in ${String(city)}`,
  }));
  const weatherNode = toolNodeOf("weather-tool", weather);
  const config = z.object({ url: z._default(z.string(), "https://a.test/"), method: z._default(z.string(), "POST") });
  const nodes = [
    chatTrigger,
    aiAgent,
    setFields,
    forEach,
    modelNodeOf("m", model),
    options.writes ? { ...weatherNode, config, reach: writes } : weatherNode,
  ];
  const registry: NodeRegistry = Object.fromEntries(nodes.map((node) => [node.type, node]));
  const agent = {
    systemPrompt: options.prompt ?? "Help.",
    userMessage: options.perItem ? "{{json}} today" : "{{json.city}} for {{start.message}}",
  };
  const document = buildWorkflow({
    nodes: {
      start: ["chat-trigger"],
      ...(options.perItem
        ? { cities: ["for-each", { items: "{{json.message.split(' ')}}" }] as const }
        : { prepare: ["set-fields", { fields: { city: "{{json.message.upperAscii()}}" } }] as const }),
      agent: ["ai-agent", agent],
      model: ["m"],
      weather: ["weather-tool", options.writes ? { url: "https://a.test/", method: "POST" } : {}],
      finish: ["set-fields", { fields: { done: true } }],
    },
    edges: [
      ...(options.perItem
        ? ["start.main -> cities.main", "cities.main -> agent.main", "cities.done -> finish.main"]
        : ["start.main -> prepare.main", "prepare.main -> agent.main", "agent.main -> finish.main"]),
      "model.model -> agent.model",
      "weather.tool -> agent.tools",
    ],
  });
  return { model, weather, registry, document };
}

type Lab = ReturnType<typeof lab>;

async function run({ document, registry }: Lab, message: string): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of runWorkflow(document, { registry, host: testHost(), input: { message } }))
    events.push(event);
  expect(ofType(events, "run-end")).toMatchObject([{ outcome: "completed" }]);
  return events;
}

/** A case of a step of a run, as the studio saves it: read again, with its recording. */
function caseOf(studio: Lab, events: readonly RunEvent[], place: StepPlace) {
  const step = stepOfRun(events, studio, place);
  if (!step) throw new Error("There is no such step.");
  const { case: made, proposals } = proposeCase(step.events, step.start);
  const read = readCaseList(JSON.stringify([{ ...made, assert: proposals.map(({ assertion }) => assertion) }]));
  if (!read.ok) throw new Error(read.problems.join("\n"));
  return { step, proposals, cases: read.cases, recording: recordingOf(step.events) };
}

async function evaluate(
  studio: Lab,
  cases: readonly EvaluationCase[],
  given: Partial<EvaluationOptions> & { suiteWith?: object } = {},
) {
  const { suiteWith = {}, ...rest } = given;
  const suite = readSuite({ workflow: "w", dataset: "d", ...suiteWith });
  if (!suite.ok) throw new Error(suite.problems.join("\n"));
  const runs: RunEvent[][] = [];
  const { results } = await runEvaluation({
    suite: suite.suite,
    cases,
    document: studio.document,
    registry: studio.registry,
    openHost: () => testHost(),
    signal: new AbortController().signal,
    onTrial: (_result, made) => void runs.push(...made.map((events) => [...events])),
    ...rest,
  });
  return { results, runs };
}

const without = (document: WorkflowDocument, id: string): WorkflowDocument => ({
  ...document,
  nodes: Object.fromEntries(Object.entries(document.nodes).filter(([each]) => each !== id)),
  edges: Object.fromEntries(
    Object.entries(document.edges).filter(([, { from, to }]) => from.node !== id && to.node !== id),
  ),
});

const calls = (events: readonly RunEvent[]) =>
  events.flatMap((event) => (event.type === "model-request" || event.type === "tool-call-start" ? [event.callId] : []));

describe("a case of a node", () => {
  it("runs the node alone, with its input and what its templates read of earlier nodes", async () => {
    const studio = lab();
    const recorded = await run(studio, "Oslo");
    const { cases, proposals, recording } = caseOf(studio, recorded, { nodeId: "agent" });
    expect(cases).toMatchObject([
      {
        id: "agent: Oslo",
        input: { message: "Oslo", city: "OSLO" },
        start: { node: "agent", title: "agent", outputs: { start: { message: "Oslo" } } },
        expected: "It says: 4 degrees in OSLO, 4 degrees in Rome.",
        source: { runId: recorded[0]?.runId },
      },
    ]);
    expect(cases[0]?.start?.outputs).not.toHaveProperty("prepare");
    expect(proposals.map(({ assertion: { type } }) => type)).toEqual(["tool-used", "contains-all"]);

    const live = lab();
    const { results, runs } = await evaluate(live, cases);
    expect(results).toMatchObject([{ status: "passed", answer: "It says: 4 degrees in OSLO, 4 degrees in Rome." }]);
    expect(startedNodes(runs[0] ?? [])).toEqual(["agent"]);
    expect(live.weather.inputs).toHaveLength(2);

    const offline = lab();
    const replayed = await evaluate(offline, cases, {
      suiteWith: { replay: "all" },
      recordingsOf: () => Promise.resolve([recording]),
    });
    expect(replayed.results).toMatchObject([{ status: "passed", misses: 0, spentUsd: 0 }]);
    expect([offline.model.requests, offline.weather.inputs]).toEqual([[], []]);
  });

  it("expects the same again of one that asks no model", async () => {
    const studio = lab();
    const { cases, proposals } = caseOf(studio, await run(studio, "Oslo"), { nodeId: "prepare" });
    expect(proposals).toMatchObject([{ assertion: { type: "equals", value: "{{expected}}" } }]);
    expect((await evaluate(studio, cases)).results).toMatchObject([{ status: "passed" }]);
    const changed = lab();
    const prepare = changed.document.nodes["prepare"];
    if (!prepare) throw new Error("There is no such node.");
    const nodes = { ...changed.document.nodes, prepare: { ...prepare, config: { fields: { city: "Paris" } } } };
    const { results } = await evaluate(changed, cases, { document: { ...changed.document, nodes } });
    expect(results).toMatchObject([{ status: "failed", reason: expect.stringContaining("Paris") }]);
  });

  it("is written by hand with a title, and takes a text as it is", async () => {
    const studio = lab({ perItem: true });
    const read = readCaseList(
      JSON.stringify([
        {
          id: "by hand",
          start: { node: "agent" },
          input: "Bergen",
          assert: [{ type: "contains", value: "6 degrees in Bergen" }],
        },
      ]),
    );
    if (!read.ok) throw new Error(read.problems.join("\n"));
    expect((await evaluate(studio, read.cases)).results).toMatchObject([{ status: "passed" }]);
    const wrong = readCaseList(JSON.stringify([{ id: "x", start: { node: "agent" }, input: "", turns: ["And?"] }]));
    expect(wrong).toMatchObject({ ok: false, problems: [expect.stringContaining('A case of a step has no "turns"')] });
  });

  it("takes one item's use out of its for-each, and of a for-each all that its branch did", async () => {
    const studio = lab({ perItem: true });
    const recorded = await run(studio, "Oslo Bergen");
    const replayAll = (recording: ReturnType<typeof recordingOf>) => ({
      suiteWith: { replay: "all" },
      recordingsOf: () => Promise.resolve([recording]),
    });
    const inBranch = caseOf(studio, recorded, { nodeId: "agent" });
    expect(inBranch.cases).toMatchObject([{ input: "Bergen" }]);
    expect(inBranch.step.events.some(({ item }) => item !== undefined)).toBe(false);
    const offline = lab({ perItem: true });
    expect((await evaluate(offline, inBranch.cases, replayAll(inBranch.recording))).results).toMatchObject([
      { status: "passed" },
    ]);
    const whole = caseOf(studio, recorded, { nodeId: "cities" });
    expect(whole.step.events.filter(({ type }) => type === "tool-call-start")).toHaveLength(4);
    expect((await evaluate(offline, whole.cases, replayAll(whole.recording))).results).toMatchObject([
      { status: "passed", answer: expect.stringContaining("6 degrees in Bergen") },
    ]);
    expect(offline.model.requests).toEqual([]);
  });

  it("says so when its step is gone", async () => {
    const studio = lab();
    const { cases } = caseOf(studio, await run(studio, "Oslo"), { nodeId: "prepare" });
    const document = without(studio.document, "prepare");
    const { results, runs } = await evaluate(studio, cases, { document });
    expect([results, runs]).toMatchObject([
      [
        {
          status: "failed",
          reason: expect.stringContaining("begins at the step “prepare”, which is no longer in the workflow"),
        },
      ],
      [],
    ]);
    const suite = readSuite({ workflow: "w", dataset: "d" });
    if (!suite.ok) throw new Error(suite.problems.join("\n"));
    const notes = evaluationNotes({ suite: suite.suite, cases, document, registry: studio.registry });
    expect(notes).toEqual([expect.stringMatching(/^"prepare: Oslo" cannot pass: .*“prepare”.*Make the case anew/)]);
  });

  it("can begin where one value arrives", () => {
    const { document, registry } = lab();
    const can = Object.keys(document.nodes).filter((id) => canBeginAt(document, registry, id));
    expect(can).toEqual(["prepare", "agent", "finish"]);
    expect(stepOfRun([], { document, registry }, { nodeId: "agent" })).toBeUndefined();
  });
});

describe("a case of a call", () => {
  /** The agent's calls: model, Oslo, model, Rome, model. */
  async function fromCall(number: number) {
    const studio = lab();
    const recorded = await run(studio, "Oslo");
    const made = caseOf(studio, recorded, { callId: calls(recorded)[number - 1] ?? "" });
    return { ...made, recordingsOf: () => Promise.resolve([made.recording]) };
  }

  it("is served what was before it, and goes on for real", async () => {
    const { cases, proposals, recordingsOf } = await fromCall(3);
    expect(cases).toMatchObject([{ id: "agent, from call 3: Oslo", start: { node: "agent", call: 3 } }]);
    expect(proposals[0]?.words).toBe("Calls weather");
    // What was said before the call counts by its place: this is how a new prompt is tried at an old decision.
    const studio = lab({ prompt: "Help, but differently." });
    const { results, runs } = await evaluate(studio, cases, { recordingsOf });
    expect(results).toMatchObject([{ status: "passed" }]);
    expect(studio.weather.inputs).toEqual([{ city: "Rome" }]);
    expect(studio.model.requests).toHaveLength(2);
    expect(studio.model.requests[0]?.messages.map(messageText).join("\n")).toContain("4 degrees in OSLO");
    expect(studio.model.requests[0]?.messages.map(messageText).join("\n")).toContain("differently");
    expect(ofType(runs[0] ?? [], "tool-call-start").map(({ replayed = false }) => replayed)).toEqual([true, false]);
  });

  it("looks at what was done from the call on only", async () => {
    const { cases, recordingsOf } = await fromCall(5);
    const [one] = cases;
    if (!one) throw new Error("There is no case.");
    const assert = [
      { type: "not-tool-used", value: "weather", weight: 1 },
      { type: "step-count", value: { max: 1, type: "model" }, weight: 1 },
    ];
    for (const replay of ["none", "tools", "all"]) {
      const { results } = await evaluate(lab(), [{ ...one, assert }], { recordingsOf, suiteWith: { replay } });
      expect(results).toMatchObject([{ status: "passed", reason: "" }]);
    }
  });

  it("has its tools answered from the recording where the suite says so, and asks the model", async () => {
    const { cases, recordingsOf } = await fromCall(2);
    const studio = lab();
    const { results } = await evaluate(studio, cases, { recordingsOf, suiteWith: { replay: "tools" } });
    expect(results).toMatchObject([{ status: "passed", misses: 0 }]);
    expect([studio.weather.inputs, studio.model.requests.length]).toEqual([[], 2]);
  });

  it("makes no call that may change something, unless the suite names it", async () => {
    const { cases, recordingsOf } = await fromCall(4);
    const refused = lab({ writes: true });
    expect((await evaluate(refused, cases, { recordingsOf })).results).toMatchObject([
      { status: "failed", reason: expect.stringContaining("may change something outside") },
    ]);
    expect(refused.weather.inputs).toEqual([]);
    const allowed = lab({ writes: true });
    const named = await evaluate(allowed, cases, {
      recordingsOf,
      suiteWith: { liveTools: ["weather"], approve: true },
    });
    expect(named.results).toMatchObject([{ status: "passed" }]);
    expect(allowed.weather.inputs).toEqual([{ city: "Rome" }]);
  });

  it("says so when what was before it is not recorded", async () => {
    const { cases } = await fromCall(3);
    const studio = lab();
    const { results } = await evaluate(studio, cases, { recordingsOf: () => Promise.resolve([]) });
    expect(results).toMatchObject([
      { status: "failed", reason: expect.stringContaining("before the step “agent, from call 3” is not recorded") },
    ]);
    expect(studio.model.requests).toEqual([]);
  });
});
