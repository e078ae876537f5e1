import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../engine/run/events.ts";
import { SpendingByModel } from "./spending-by-model.ts";

const envelope = { runId: "run", seq: 0, at: 0 };

const embedding = (costUsd: number | null, change: { replayed?: true } = {}): RunEvent => ({
  ...envelope,
  type: "embedding",
  nodeId: "docs",
  provider: "openai",
  model: "text-embedding-3-small",
  texts: 2,
  usage: { inputTokens: 8, outputTokens: 0 },
  estimated: false,
  costUsd,
  durationMs: 5,
  ...change,
});

describe("what a run spent, by model", () => {
  it("has the models that made vectors, but not what was served from a recording", () => {
    const spending = new SpendingByModel();
    for (const event of [embedding(0.25), embedding(0.5), embedding(1, { replayed: true })]) spending.add(event);
    const sum = { provider: "openai", model: "text-embedding-3-small", calls: 2, inputTokens: 16, outputTokens: 0 };
    expect(spending.list()).toEqual([{ ...sum, costUsd: 0.75 }]);
    spending.add(embedding(null));
    expect(spending.list()[0]?.costUsd).toBeNull();
  });

  it("has the models that wrote down recordings", () => {
    const spending = new SpendingByModel();
    const usage = { inputTokens: 0, outputTokens: 0 };
    const asked = { provider: "openai", model: "whisper-1" };
    const written = { seconds: 90, usage, costUsd: 0.25, durationMs: 5 };
    spending.add({ ...envelope, type: "transcription", nodeId: "write", ...asked, ...written });
    expect(spending.list()).toEqual([{ ...asked, calls: 1, ...usage, costUsd: 0.25 }]);
  });
});
