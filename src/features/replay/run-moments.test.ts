import { describe, expect, it } from "vitest";
import type { RunEventBody } from "../../engine/run/events.ts";
import { numberEvents } from "../../engine/testing/run-events.ts";
import { runMoments, wordsOf } from "./run-moments.ts";

const recorded = (...bodies: RunEventBody[]) => numberEvents("run", bodies, 1_000);

const titleOf = (nodeId: string) => ({ agent: "Helper" })[nodeId] ?? nodeId;

describe("the stops of a timeline", () => {
  it("are few for a long answer, its first piece among them, and every other event", () => {
    const pieces = Array.from({ length: 500 }, (): RunEventBody => {
      return { type: "text-delta", nodeId: "agent", callId: "c", text: "x" };
    });
    const moments = runMoments(
      recorded({ type: "node-start", nodeId: "agent", input: {} }, ...pieces, { type: "edge-pass", edgeId: "e" }),
    );
    expect(moments.length).toBeGreaterThan(8);
    expect(moments.length).toBeLessThan(20);
    expect(moments.slice(0, 2).map(({ seq }) => seq)).toEqual([0, 1]);
    expect(moments.at(-1)).toMatchObject({ seq: 501, at: 1_501 });
  });

  it("say what happened with the titles of nodes, and mark calls", () => {
    const call = { nodeId: "agent", toolNodeId: "calc", edgeId: "e", callId: "c", iteration: 1 };
    const [event] = recorded({ type: "tool-call-start", toolName: "calculator", input: {}, ...call });
    if (event === undefined) throw new Error("One event was recorded.");
    expect(runMoments([event])).toEqual([{ seq: 0, at: 1_000, event, kind: "tool" }]);
    expect(wordsOf(event, titleOf)).toBe("Helper calls calculator");
    const result = { output: null, usage: { inputTokens: 0, outputTokens: 0 }, costUsd: 0, durationMs: 1 };
    const ends = recorded(
      { type: "run-end", outcome: "failed", ...result },
      { type: "run-end", outcome: "cancelled", ...result },
      { type: "run-end", outcome: "completed", ...result },
    );
    expect(ends.map((end) => wordsOf(end, titleOf))).toEqual([
      "The run failed",
      "The run was stopped",
      "The run is complete",
    ]);
  });
});
