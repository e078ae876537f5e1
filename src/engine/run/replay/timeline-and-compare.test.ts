import { describe, expect, it } from "vitest";
import type { Json } from "../../json.ts";
import { userMessage } from "../../model/message.ts";
import { modelRequest, modelResponse, numberEvents } from "../../testing/run-events.ts";
import type { RunEventBody } from "../events.ts";
import { reduceRunAll } from "../reduce-run.ts";
import { emptyRunState } from "../run-state.ts";
import { compareRuns } from "./compare-runs.ts";
import { createTimeline } from "./run-timeline.ts";

const run = (runId: string, bodies: readonly RunEventBody[]) => numberEvents(runId, bodies, 1_000);

function model(callId: string, question: string, answer: string): RunEventBody[] {
  return [
    modelRequest({ callId, messages: [userMessage(question)] }),
    { type: "text-delta", nodeId: "agent", callId, text: answer },
    modelResponse(answer, { callId, usage: { inputTokens: question.length, outputTokens: 1 } }),
  ];
}

function tool(callId: string, toolName: string, input: Json, output: Json): RunEventBody[] {
  const call = { nodeId: "agent", toolNodeId: toolName, edgeId: "e2", callId, toolName };
  const text = JSON.stringify(output);
  return [
    { type: "tool-call-start", ...call, input },
    { type: "tool-call-end", ...call, ok: true, output, text, size: text.length, truncated: false, durationMs: 1 },
  ];
}

describe("the timeline of a run", () => {
  const bodies: RunEventBody[] = [
    { type: "run-start", workflowId: "w", workflowName: "W", input: 1 },
    { type: "node-start", nodeId: "agent", input: 1 },
    ...Array.from({ length: 400 }, (_, index) => model(`c${index}`, `q${index}`, `a${index}`)).flat(),
    { type: "node-end", nodeId: "agent", output: "done", ports: ["main"], durationMs: 1 },
  ];
  const events = run("r", bodies);

  it("shows the same state at a moment as reducing up to it, in whatever order one looks", () => {
    const timeline = createTimeline("r", events);
    for (const seq of [700, 3, 1_100, 499, 500, 501, 1_202, 0, 1_000, 1_001]) {
      expect(timeline.stateAt(seq)).toEqual(reduceRunAll(emptyRunState("r"), events.slice(0, seq + 1)));
    }
    expect(timeline.stateAt(-1)).toEqual(emptyRunState("r"));
    expect(timeline.stateAt(99_999).nodes.agent?.status).toBe("done");
  });

  it("gives the same object for the same moment, and goes by seq where events are missing", () => {
    const gaps = events.filter((event) => event.seq % 3 !== 1);
    const timeline = createTimeline("r", gaps);
    expect(timeline.stateAt(700)).toBe(timeline.stateAt(700));
    expect(timeline.stateAt(700).nextSeq).toBe(700);
    expect(timeline.stateAt(699)).toEqual(
      reduceRunAll(
        emptyRunState("r"),
        gaps.filter(({ seq }) => seq <= 699),
      ),
    );
  });
});

describe("two runs side by side", () => {
  const stateOf = (runId: string, ...bodies: RunEventBody[][]) =>
    reduceRunAll(emptyRunState(runId), run(runId, bodies.flat()));
  const words = (left: ReturnType<typeof stateOf>, right: ReturnType<typeof stateOf>) =>
    compareRuns(left, right).steps.map(({ left: a, right: b, differences }) =>
      [a?.id, b?.id, ...differences].join(" "),
    );

  it("are the same when nothing differs", () => {
    const steps = [model("c1", "q", "a"), tool("t1", "add", { a: 1 }, 2)];
    const comparison = compareRuns(stateOf("l", ...steps), stateOf("r", ...steps));
    expect(comparison.steps.map(({ differences }) => differences)).toEqual([[], []]);
    expect(comparison).toMatchObject({ sameInput: true, sameOutput: true });
  });

  it("name in what steps at the same place differ", () => {
    const left = stateOf("l", model("c1", "q", "a"), tool("t1", "add", { a: 1, b: 2 }, 3), model("c2", "q2", "x"));
    const right = stateOf(
      "r",
      model("d1", "q", "a"),
      tool("u1", "add", { b: 9, a: 1 }, 10),
      model("d2", "longer", "y"),
    );
    expect(words(left, right)).toEqual(["c1 d1", "t1 u1 arguments result", "c2 d2 request response tokens"]);
  });

  it("tell requests apart that differ in a picture alone", () => {
    const asking = (callId: string, url: string) =>
      model(callId, "q", "a").map((body) =>
        body.type === "model-request"
          ? { ...body, messages: [{ role: "user" as const, parts: [{ type: "image" as const, url }] }] }
          : body,
      );
    const [cat, dog] = ["data:image/png;base64,Y2F0", "data:image/png;base64,ZG9n"];
    expect(words(stateOf("l", asking("c1", cat)), stateOf("r", asking("d1", cat)))).toEqual(["c1 d1"]);
    expect(words(stateOf("l", asking("c1", cat)), stateOf("r", asking("d1", dog)))).toEqual(["c1 d1 request"]);
  });

  it("leave a gap where only one of them made a step", () => {
    const left = stateOf(
      "l",
      model("c1", "q", "a"),
      tool("t1", "add", 1, 2),
      tool("t2", "mail", 1, 2),
      model("c2", "z", "z"),
    );
    const right = stateOf(
      "r",
      model("d1", "q", "a"),
      tool("u2", "mail", 1, 2),
      tool("u3", "mail", 7, 2),
      model("d2", "z", "z"),
    );
    expect(words(left, right)).toEqual(["c1 d1", "t1 ", "t2 u2", " u3", "c2 d2"]);
    expect(words(left, stateOf("r"))).toEqual(["c1 ", "t1 ", "t2 ", "c2 "]);
  });

  it("tell which nodes gave something else", () => {
    const node = (output: Json): RunEventBody[] => [
      { type: "node-start", nodeId: "n", input: 1 },
      { type: "node-end", nodeId: "n", output, ports: ["main"], durationMs: 1 },
    ];
    const nodes = compareRuns(stateOf("l", node({ a: 1, b: 2 })), stateOf("r", node({ b: 2, a: 1 }))).nodes;
    expect(nodes.map(({ nodeId, same }) => [nodeId, same])).toEqual([["n", true]]);
    expect(compareRuns(stateOf("l", node(1)), stateOf("r")).nodes[0]).toMatchObject({ same: false });
  });

  it("line up runs of thousands of steps", () => {
    const many = (prefix: string, skip: number) =>
      Array.from({ length: 2_500 }, (_, index) => index)
        .filter((index) => index !== skip)
        .map((index) => tool(`${prefix}${index}`, `tool${index % 7}`, index, index));
    const { steps } = compareRuns(stateOf("l", ...many("l", 3)), stateOf("r", ...many("r", 2_400)));
    expect(steps.filter(({ left, right }) => left && right).length).toBeGreaterThan(2_490);
  });
});
