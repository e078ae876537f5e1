import { describe, expect, it } from "vitest";
import type { NodeRunState } from "../../engine/run/run-state.ts";
import { runText } from "./run-text.ts";

const node = (change: Partial<NodeRunState>): NodeRunState => ({
  status: "running",
  active: 0,
  text: "",
  uses: 0,
  ...change,
});

describe("runText", () => {
  it.each<[string, Partial<NodeRunState>]>([
    ["waiting", { status: "waiting" }],
    ["running", {}],
    ["2 of 10", { iteration: 2, maxIterations: 10 }],
    [
      "round 3 · 1 of 4 · 120 tok",
      { iteration: 1, maxIterations: 4, round: 3, usage: { inputTokens: 100, outputTokens: 20 } },
    ],
    ["waiting for you", { status: "approval" }],
    ["paused", { status: "paused" }],
    [
      "1.5 s · 12.4k tok",
      { status: "done", startedAt: 500, endedAt: 2_000, usage: { inputTokens: 12_000, outputTokens: 400 } },
    ],
    ["2,394 tok", { status: "done", usage: { inputTokens: 2_300, outputTokens: 94 } }],
    ["3 ×", { status: "done", uses: 3, startedAt: 0, endedAt: 5 }],
    ["failed · 20 ms", { status: "failed", startedAt: 0, endedAt: 20 }],
    ["failed", { status: "failed" }],
    [
      "stopped · 20 ms",
      {
        status: "failed",
        startedAt: 0,
        endedAt: 20,
        error: { code: "cancelled", message: "The run was stopped.", hint: "", retryable: false },
      },
    ],
    ["skipped", { status: "skipped" }],
  ])("says %s", (words, change) => {
    expect(runText(node(change))).toBe(words);
  });
});
