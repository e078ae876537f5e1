import { describe, expect, it } from "vitest";
import type { ToolStep } from "../../engine/run/run-state.ts";
import { forkKinds, forkTexts, readFork } from "./fork-change.ts";

const call = { nodeId: "agent", toolNodeId: "t", edgeId: "e", callId: "c", iteration: 1 };
const envelope = { runId: "run", seq: 4, at: 10 };
const tool: ToolStep = {
  kind: "tool",
  id: "c",
  nodeId: "agent",
  startedAt: 10,
  iteration: 1,
  round: 1,
  start: { ...envelope, type: "tool-call-start", toolName: "add", input: { a: 1 }, ...call },
};

describe("what a fork changes", () => {
  it("offers arguments and result of a tool call as JSON", () => {
    expect(forkKinds(tool)).toEqual(["arguments", "result", "again"]);
    expect(forkTexts(tool, "arguments")).toEqual(['{\n  "a": 1\n}']);
    expect(forkTexts(tool, "again")).toEqual([]);
  });

  it("reads them back, and says what is wrong with them", () => {
    expect(readFork(tool, "arguments", ['{"a":2}'], true)).toEqual({
      ok: true,
      change: { kind: "arguments", input: { a: 2 } },
    });
    expect(readFork(tool, "result", ['"sorry"'], false)).toEqual({
      ok: true,
      change: { kind: "result", ok: false, output: "sorry" },
    });
    expect(readFork(tool, "arguments", ["[1]"], true)).toMatchObject({
      ok: false,
      problem: expect.stringContaining("JSON object"),
    });
    expect(readFork(tool, "result", ["{"], true)).toMatchObject({ ok: false });
    expect(readFork(tool, "again", [], true)).toEqual({ ok: true, change: null });
  });
});
