import { describe, expect, it } from "vitest";
import { RunLog } from "../../run/run-log.ts";
import { runScriptedAgent } from "../../testing/run-scripted-agent.ts";

const free = { input: 0, output: 0 };

describe("the cost of a call that did not end well", () => {
  it("is unknown when the answer was cut, by the server or by the time limit", async () => {
    const cut = await runScriptedAgent({ script: [{ text: "Half of", error: { retryable: true } }] });
    expect(cut.outcome).toMatchObject({ ok: false, metadata: { finishReason: "error", costUsd: null } });
    const stopped = await runScriptedAgent({ script: [{ hang: true }], settings: { timeoutMs: 50 } });
    expect(stopped.outcome).toMatchObject({ ok: false, metadata: { costUsd: null } });

    const late = await runScriptedAgent({ script: [{ text: "Half of", hang: true }], settings: { timeoutMs: 50 } });
    expect(late.outcome).toMatchObject({ ok: false, metadata: { finishReason: "timeout", costUsd: null } });
  });

  it("is nothing for a refused request, and for a free model", async () => {
    const refused = await runScriptedAgent({ script: [{ error: { code: "invalid_credentials" } }] });
    expect(refused.outcome).toMatchObject({ ok: false, metadata: { costUsd: 0 } });
    const { outcome } = await runScriptedAgent({
      script: [{ text: "Half of", error: {} }],
      modelOptions: { price: free },
    });
    expect(outcome).toMatchObject({ ok: false, metadata: { costUsd: 0 } });
  });

  it("makes the run's sum unknown too", () => {
    const log = new RunLog({ runId: "run", now: () => 0, write: () => undefined });
    const call = { nodeId: "agent", modelNodeId: "model", edgeId: "edge", iteration: 1, durationMs: 1 };
    const message = { role: "assistant" as const, parts: [] };
    const usage = { inputTokens: 1, outputTokens: 1 };
    log.emit({ type: "model-response", ...call, callId: "1", message, finishReason: "stop", usage, costUsd: 0.5 });
    expect(log.costUsd).toBe(0.5);
    log.emit({ type: "model-response", ...call, callId: "2", message, finishReason: "error", costUsd: null });
    expect(log).toMatchObject({ costUsd: null, usage });
  });

  it("counts for the agent that called this one as a tool", async () => {
    const counted: (number | null)[] = [];
    const inner = await runScriptedAgent({
      script: [{ text: "Half of", error: {} }],
      addUsage: (_usage, costUsd) => counted.push(costUsd),
    });
    expect(inner.outcome.ok).toBe(false);
    expect(counted).toEqual([null]);
  });
});
