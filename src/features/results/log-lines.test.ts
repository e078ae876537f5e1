import { describe, expect, it } from "vitest";
import type { RunEvent, RunEventBody } from "../../engine/run/events.ts";
import { filterLogLines, logLine, type LogLine } from "./log-lines.ts";

const titles: Record<string, string> = { agent: "Agent" };

function linesOf(bodies: RunEventBody[]): LogLine[] {
  const events: RunEvent[] = bodies.map((body, seq) => ({ runId: "run", seq, at: seq, ...body }));
  return events.flatMap((event) => logLine(event, (nodeId) => titles[nodeId] ?? nodeId) ?? []);
}

const call = { nodeId: "agent", toolNodeId: "tool", edgeId: "e", callId: "c", toolName: "weather" };
const lines = linesOf([
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
]);

describe("logLine", () => {
  it("tells of each event but the words of a stream, naming nodes by their title", () => {
    expect(lines.map(({ seq, level, message }) => [seq, level, message])).toEqual([
      [0, "info", "Agent started"],
      [2, "info", 'Tool weather called with {"city":"Oslo"}'],
      [3, "warn", "Tool weather failed: no such city"],
      [4, "debug", "Looking"],
      [5, "error", "Agent failed: Too slow."],
    ]);
  });
});

describe("filterLogLines", () => {
  it("filters by level and by text in message and event", () => {
    const found = (level: "debug" | "warn", search: string) =>
      filterLogLines(lines, level, search).map(({ seq }) => seq);
    expect(found("debug", "")).toEqual([0, 2, 3, 4, 5]);
    expect(found("warn", "")).toEqual([3, 5]);
    expect(found("debug", " oslo ")).toEqual([2]);
    expect(found("debug", "BERGEN")).toEqual([4]);
    expect(found("warn", "bergen")).toEqual([]);
  });
});
