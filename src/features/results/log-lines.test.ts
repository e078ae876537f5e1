import { describe, expect, it } from "vitest";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { RunEventBody } from "../../engine/run/events.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { numberEvents } from "../../engine/testing/run-events.ts";
import { KnownNames } from "./known-names.ts";
import { contains, hasLevel, LogReading, logLine, type LogLine } from "./log-lines.ts";
import type { LogNames } from "./log-text.ts";
import { LogSearch } from "./log-search.ts";

const titles: Record<string, string> = { agent: "Agent", send: "Send mail" };
const names: LogNames = {
  node: (nodeId) => titles[nodeId] ?? nodeId,
  edge: (edgeId) => (edgeId === "e" ? { from: "Agent", to: "Send mail" } : undefined),
};

const eventsOf = (bodies: RunEventBody[]) => numberEvents("run", bodies);

function linesOf(bodies: RunEventBody[]): LogLine[] {
  return eventsOf(bodies).flatMap((event) => logLine(event, names) ?? []);
}

const call = { nodeId: "agent", toolNodeId: "tool", edgeId: "e", callId: "c", toolName: "weather" };
const bodies: RunEventBody[] = [
  { type: "node-start", nodeId: "agent", input: {} },
  { type: "text-delta", nodeId: "agent", callId: "m", text: "word" },
  { type: "tool-call-start", ...call, input: { city: "Oslo" } },
  {
    type: "tool-call-end",
    ...call,
    ok: false,
    output: null,
    text: "no such city",
    size: 4,
    truncated: false,
    durationMs: 3,
  },
  { type: "log", level: "debug", message: "Looking", data: { place: "Bergen" } },
  {
    type: "node-error",
    nodeId: "agent",
    error: { code: "timeout", message: "Too slow.", hint: "", retryable: true },
    handled: false,
    durationMs: 1,
  },
];
const lines = linesOf(bodies);

describe("logLine", () => {
  it("S97 says what may have been done twice, and whether a person is asked about that", () => {
    const { callId, toolName } = call;
    const texts = linesOf([
      { type: "write-start", nodeId: "agent", callId, toolName },
      { type: "approval-wait", ...call, input: {}, again: 1 },
      { type: "write-start", nodeId: "agent", callId, toolName, again: 1 },
      { type: "write-start", nodeId: "send", again: 2 },
    ]).map(({ message }) => message);
    expect(texts).toEqual([
      "Tool weather may have been called before the run was interrupted; a person decides whether it is called again",
      "weather may have been called twice",
      "Send mail: May have been done 3 times",
    ]);
  });

  it("tells of each event but the words of a stream, naming nodes by their title", () => {
    expect(lines.map(({ seq, level, message }) => [seq, level, message])).toEqual([
      [0, "info", "Agent started"],
      [2, "info", 'Tool weather called with {"city":"Oslo"}'],
      [3, "warn", "Tool weather failed: no such city"],
      [4, "debug", "Looking"],
      [5, "error", "Agent failed: Too slow."],
    ]);
  });

  it("says between which nodes a result went, and what a model wants, in words", () => {
    const toolCall = { type: "tool-call", callId: "c", toolName: "weather", arguments: "{}" } as const;
    const asked = { ...call, modelNodeId: "model", iteration: 1, costUsd: 0, durationMs: 1_240 };
    const said = linesOf([
      { type: "edge-pass", edgeId: "e" },
      { type: "edge-pass", edgeId: "gone" },
      {
        type: "model-response",
        ...asked,
        message: { role: "assistant", parts: [toolCall, toolCall] },
        finishReason: "tool-calls",
      },
      { type: "model-response", ...asked, message: { role: "assistant", parts: [] }, finishReason: "length" },
      { type: "iteration-end", nodeId: "agent", iteration: 3, round: 1, finish: "max_iterations" },
    ]);
    expect(said.map(({ message }) => message)).toEqual([
      "Agent passed its result to Send mail",
      "A result was passed to the next node",
      "Model asked in 1.2 s for 2 tool calls",
      "Model answered in 1.2 s; the answer was cut off at the token limit",
      "Iteration 3 ended: Stopped at the iteration limit",
    ]);
  });
});

describe("the log of a run", () => {
  it("ends at the moment that is looked at, grows with the run, and makes each line once", () => {
    const reading = new LogReading();
    const events = eventsOf(bodies);
    const seqs = (found: LogLine[]) => found.map(({ seq }) => seq);
    const early = reading.upTo(3, events.slice(0, 4), names);
    expect(seqs(early)).toEqual([0, 2]);
    const whole = reading.upTo(6, events, names);
    expect(seqs(whole)).toEqual([0, 2, 3, 4, 5]);
    expect(whole[0]).toBe(early[0]);
    expect(seqs(reading.upTo(1, events, names))).toEqual([0]);
    expect(seqs(reading.upTo(4, events, names))).toEqual([0, 2, 3]);
  });

  it("calls nodes what they are called now, and those that are gone what they were called last", () => {
    const document = buildWorkflow({ nodes: { agent: ["a"], send: ["b"] }, edges: ["agent.main -> send.main"] });
    const [edge] = Object.values(document.edges);
    const { agent, send } = document.nodes;
    if (!edge || !agent || !send) throw new Error("The workflow is not as it should be.");
    const known = new KnownNames();
    const reading = new LogReading();
    const events = eventsOf([...bodies, { type: "edge-pass", edgeId: edge.id }]);
    const read = (next: Pick<WorkflowDocument, "nodes" | "edges">) => reading.upTo(7, events, known.of(next));
    const before = read(document);
    expect(before[0]?.message).toBe("agent started");

    const moved = { ...document, nodes: { ...document.nodes, agent: { ...agent, position: { x: 9, y: 9 } } } };
    expect(known.of(moved)).toBe(known.of(document));

    const renamed = { ...document, nodes: { send, agent: { ...agent, title: "Clerk" } } };
    const after = read(renamed);
    expect(after.map(({ message }) => message)).toEqual([
      "Clerk started",
      'Tool weather called with {"city":"Oslo"}',
      "Tool weather failed: no such city",
      "Looking",
      "Clerk failed: Too slow.",
      "Clerk passed its result to send",
    ]);
    // What names nothing stays the line that it was, and so does what was found in it.
    expect(after.map((line, index) => line === before[index])).toEqual([false, true, true, true, false, false]);
    const gone = read({ nodes: { send: { ...send, title: "Post" } }, edges: {} });
    expect(gone.at(-1)?.message).toBe("Clerk passed its result to Post");
    expect(gone[0]).toBe(after[0]);
  });
});

describe("filter and search", () => {
  it("know levels, and texts in message and event in any case", () => {
    const found = (level: "debug" | "warn", text: string) =>
      lines.filter((line) => hasLevel(line, level) && contains(line, text)).map(({ seq }) => seq);
    expect(found("debug", "")).toEqual([0, 2, 3, 4, 5]);
    expect(found("warn", "")).toEqual([3, 5]);
    expect(found("debug", "oslo")).toEqual([2]);
    expect(found("debug", "bergen")).toEqual([4]);
    expect(found("warn", "bergen")).toEqual([]);
  });

  it("search in pieces, and look at no line twice", () => {
    const search = new LogSearch(" BERGEN ");
    const texts: number[] = [];
    const watched = lines.map((line) => ({
      ...line,
      get message() {
        texts.push(line.seq);
        return line.message;
      },
    }));
    let looks = 0;
    while (!search.look(watched, () => false)) looks += 1;
    expect(looks).toBe(lines.length - 1);
    expect(watched.filter((line) => search.has(line)).map(({ seq }) => seq)).toEqual([4]);
    expect(search.look(watched, () => true)).toBe(true);
    expect(texts).toEqual([0, 2, 3, 4, 5]);
    expect(new LogSearch("").look(watched, () => false)).toBe(true);
  });
});
