import { describe, expect, it } from "vitest";
import { assistantMessage, userMessage } from "../model/message.ts";
import { runScriptedAgent, testMemory, testTool } from "../testing/run-scripted-agent.ts";
import { testHost } from "../testing/test-host.ts";

describe("S56 Cancel", () => {
  it("aborts the open request at once and writes nothing after", async () => {
    const controller = new AbortController();
    const memory = testMemory();
    const { outcome, model, events } = await runScriptedAgent({
      script: [{ text: ["One ", "two"], hang: true }],
      memory,
      signal: controller.signal,
      onEvent: (event) => {
        if (event.type === "text-delta" && event.text === "two") controller.abort();
      },
    });
    expect(model.requests[0]?.signal.aborted).toBe(true);
    expect(outcome).toMatchObject({ ok: false, finish: "cancelled", error: { code: "cancelled" } });
    expect(memory.writes).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: "iteration-end", finish: "cancelled" });
    expect(events.find((event) => event.type === "model-response")).toMatchObject({ finishReason: "cancelled" });
  });

  it("does not wait for a model that ignores the signal", async () => {
    const controller = new AbortController();
    const deaf = {
      provider: "deaf",
      modelId: "deaf",
      capabilities: { tools: true, vision: false, streaming: true, json: true, reasoning: false },
      settings: {},
      stream: () => ({
        [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }),
      }),
    };
    const { outcome } = await runScriptedAgent({
      script: [{ error: {} }],
      fallback: deaf,
      signal: controller.signal,
      onEvent: (event) => {
        if (event.type === "model-request" && event.provider === "deaf")
          void Promise.resolve().then(() => controller.abort());
      },
    });
    expect(outcome).toMatchObject({ ok: false, finish: "cancelled" });
  });

  it("aborts running tools and asks the model nothing more", async () => {
    const controller = new AbortController();
    let aborted = false;
    const slow = testTool(
      "slow",
      (_input, signal) =>
        new Promise(() => {
          signal.addEventListener("abort", () => (aborted = true));
          controller.abort();
        }),
    );
    const { outcome, model, of } = await runScriptedAgent({
      script: () => ({ calls: [{ name: "slow", arguments: {} }] }),
      tools: [slow],
      signal: controller.signal,
    });
    expect(aborted).toBe(true);
    expect(model.requests).toHaveLength(1);
    expect(of("tool-call-end")).toMatchObject([{ ok: false }]);
    expect(outcome).toMatchObject({ ok: false, finish: "cancelled" });
  });

  it("closes an open question for approval", async () => {
    const controller = new AbortController();
    const send = testTool("send", "sent", { approval: "ask" });
    const host = testHost({
      approve: () => {
        controller.abort();
        return new Promise(() => undefined);
      },
    });
    const { outcome, of } = await runScriptedAgent({
      script: [{ calls: [{ name: "send", arguments: {} }] }],
      host,
      tools: [send],
      signal: controller.signal,
    });
    expect(send.inputs).toEqual([]);
    expect(of("approval-end")).toMatchObject([{ approved: false }]);
    expect(of("tool-call-end")).toMatchObject([{ ok: false }]);
    expect(outcome).toMatchObject({ ok: false, finish: "cancelled" });
  });

  it("ends a retry's wait", async () => {
    const controller = new AbortController();
    const { outcome, model } = await runScriptedAgent({
      script: () => ({ error: { retryable: true, retryAfterMs: 60_000 } }),
      signal: controller.signal,
      onEvent: (event) => {
        if (event.type === "retry") void Promise.resolve().then(() => controller.abort());
      },
    });
    expect(model.requests).toHaveLength(1);
    expect(outcome).toMatchObject({ ok: false, finish: "cancelled" });
  });

  it("saves nothing when it comes between the answer and the write", async () => {
    const controller = new AbortController();
    const memory = testMemory();
    await runScriptedAgent({
      script: [{ text: "Done." }],
      memory,
      signal: controller.signal,
      onEvent: (event) => {
        if (event.type === "iteration-end") controller.abort();
      },
    });
    expect(memory.writes).toEqual([]);
  });

  it("does nothing at all when it comes before the start", async () => {
    const host = testHost();
    const { outcome, events } = await runScriptedAgent({
      script: [{ text: "Hi" }],
      host,
      memory: testMemory([userMessage("a"), assistantMessage("b")]),
      signal: AbortSignal.abort(),
    });
    expect(outcome).toMatchObject({ ok: false, finish: "cancelled" });
    expect(events).toEqual([]);
  });
});
