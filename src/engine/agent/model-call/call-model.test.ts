import { describe, expect, it } from "vitest";
import type { RunErrorData } from "../../errors.ts";
import { messageText } from "../../model/message.ts";
import { runScriptedAgent, testMemory, testTool } from "../../testing/run-scripted-agent.ts";
import { scriptedModel } from "../../testing/scripted-model.ts";
import { testHost } from "../../testing/test-host.ts";

const busy: Partial<RunErrorData> = { code: "rate_limit", message: "Too many requests (429).", retryable: true };
const broken: Partial<RunErrorData> = { code: "model_error", message: "Server error (500).", retryable: true };
const reset: Partial<RunErrorData> = { code: "model_error", message: "The connection was reset.", retryable: true };
const bad: Partial<RunErrorData> = { code: "model_error", message: "Bad request (400).", retryable: false };
const denied: Partial<RunErrorData> = { code: "invalid_credentials", message: "Wrong key (401).", retryable: false };

describe("calling a model that fails", () => {
  for (const error of [busy, broken, reset]) {
    it(`S51 retries after "${error.message}" with a countdown, then answers`, async () => {
      const { outcome, of, model } = await runScriptedAgent({ script: [{ error }, { error }, { text: "There." }] });
      expect(outcome).toMatchObject({ ok: true, output: { response: "There." } });
      expect(model.requests).toHaveLength(3);
      const retries = of("retry");
      expect(retries.map(({ attempt, maxAttempts }) => [attempt, maxAttempts])).toEqual([
        [1, 3],
        [2, 3],
      ]);
      expect(retries[0]?.delayMs).toBeGreaterThanOrEqual(500);
      expect(retries[0]?.delayMs).toBeLessThanOrEqual(1_000);
      expect(retries[1]?.delayMs).toBeGreaterThanOrEqual(1_000);
      expect(retries[0]?.error.message).toBe(error.message);
    });
  }

  it("S51 gives up after three retries with an error that names the cause", async () => {
    const { outcome, of, model } = await runScriptedAgent({ script: () => ({ error: broken }) });
    expect(model.requests).toHaveLength(4);
    expect(of("retry")).toHaveLength(3);
    expect(outcome).toMatchObject({
      ok: false,
      finish: "error",
      error: { code: "model_error", message: "Server error (500).", nodeId: "model" },
    });
  });

  for (const error of [bad, denied]) {
    it(`S51 never retries after "${error.message}"`, async () => {
      const { outcome, model, of } = await runScriptedAgent({ script: () => ({ error }) });
      expect(model.requests).toHaveLength(1);
      expect(of("retry")).toEqual([]);
      expect(outcome).toMatchObject({ ok: false, error: { code: error.code } });
    });
  }

  it("shows the model once what it wrote where its vendor could not read the call", async () => {
    const error = { ...bad, code: "model_error" as const, unreadableCall: "<function=clock{" };
    const { outcome, model } = await runScriptedAgent({ script: [{ error }, { text: "There." }] });
    expect(outcome).toMatchObject({ ok: true, output: { response: "There." } });
    expect(model.requests[1]?.messages.slice(-2).map((message) => [message.role, messageText(message)])).toEqual([
      ["assistant", "<function=clock{"],
      ["user", expect.stringContaining("could not be read")],
    ]);

    const again = await runScriptedAgent({ script: () => ({ error }) });
    expect(again.outcome).toMatchObject({ ok: false, error: { message: bad.message } });
    expect(again.model.requests).toHaveLength(2);

    const seen = await runScriptedAgent({ script: () => ({ text: "Let me look", error }) });
    expect(seen.outcome).toMatchObject({ ok: false, error: { message: bad.message } });
    expect(seen.model.requests).toHaveLength(1);
  });

  it("says before it asks that a request is probably longer than the model takes", async () => {
    const models = [
      ["openai", undefined, "gpt-4", 1],
      ["openai-compatible", "cerebras", "gpt-oss-120b", 0],
      ["openai-compatible", "ollama", "gpt-4", 0],
    ] as const;
    for (const [provider, catalog, modelId, count] of models) {
      const { of, outcome } = await runScriptedAgent({
        script: [],
        settings: { userMessage: "word ".repeat(10_000) },
        model: Object.assign(scriptedModel([{ text: "There." }]), { provider, modelId, catalog }),
      });
      expect(outcome).toMatchObject({ ok: true });
      const said = of("warning").filter(({ message }) => message.includes("tokens"));
      expect(
        said.map(({ message }) => message),
        modelId,
      ).toHaveLength(count);
      if (count > 0) expect(said[0]?.message).toMatch(/about 13,000 tokens, and gpt-4 takes 8,192/);
    }
  });

  it("S51 waits as long as Retry-After says", async () => {
    const { of, host } = await runScriptedAgent({
      script: [{ error: { ...busy, retryAfterMs: 7_000 } }, { text: "There." }],
    });
    expect(of("retry")[0]?.delayMs).toBe(7_000);
    expect(host.clock.slept).toContain(7_000);
  });

  it("does not wait for a Retry-After beyond the time limit", async () => {
    const { outcome, of } = await runScriptedAgent({
      script: [{ error: { ...busy, retryAfterMs: 3_600_000 } }],
      settings: { timeoutMs: 60_000 },
    });
    expect(of("retry")).toEqual([]);
    expect(outcome).toMatchObject({ ok: false, error: { code: "rate_limit" } });
  });

  it("S52 keeps the partial text of a cut stream, marked as incomplete, and does not retry it", async () => {
    const memory = testMemory();
    const { outcome, of, model } = await runScriptedAgent({
      script: [{ text: ["The answer ", "is"], error: reset }],
      memory,
    });
    expect(model.requests).toHaveLength(1);
    const response = of("model-response")[0];
    expect(response && messageText(response.message)).toBe("The answer is");
    expect(response).toMatchObject({ finishReason: "error", error: { message: "The connection was reset." } });
    expect(outcome).toMatchObject({ ok: false, finish: "error" });
    expect(memory.writes[0]?.messages.at(-1)).toEqual({
      role: "assistant",
      parts: [{ type: "text", text: "The answer is" }],
      incomplete: "error",
      failure: { message: "The connection was reset.", hint: expect.any(String) },
    });
  });

  it("S52 retries a stream that was cut before any text, such as mid-JSON of a tool call", async () => {
    const { outcome, model } = await runScriptedAgent({
      script: [{ reasoning: "Hm", error: reset }, { text: "Yes." }],
    });
    expect(model.requests).toHaveLength(2);
    expect(outcome).toMatchObject({ ok: true, output: { response: "Yes." } });
  });

  it("S52 treats a stream without an end as broken", async () => {
    const { outcome, of } = await runScriptedAgent({ script: [{ text: "Half", silent: true }] });
    expect(outcome).toMatchObject({ ok: false, error: { code: "model_error" } });
    expect(of("model-response")[0]).toMatchObject({ finishReason: "error" });
  });

  it("turns a throw of an adapter into an error", async () => {
    const model = {
      ...scriptedModel([]),
      stream() {
        throw new Error("boom");
      },
    };
    const { outcome } = await runScriptedAgent({ script: [{ error: bad }], fallback: model });
    expect(outcome).toMatchObject({ ok: false, error: { code: "model_error" } });
  });

  it("reports a withheld answer as content_filter", async () => {
    const memory = testMemory();
    const { outcome, of } = await runScriptedAgent({ script: [{ finishReason: "content-filter" }], memory });
    expect(outcome).toMatchObject({ ok: false, finish: "refused", error: { code: "content_filter" } });
    expect(of("iteration-end").at(-1)?.finish).toBe("refused");
    expect(memory.writes[0]?.messages.at(-1)).toMatchObject({
      parts: [],
      incomplete: "refused",
      failure: { message: expect.stringContaining("content filter") },
    });
  });
});

describe("fallback", () => {
  it("goes down the chain in its order, each with what the ones before it said", async () => {
    const down = { code: "model_error" as const, retryable: false };
    const second = scriptedModel([{ reasoning: "Hm.", calls: [{ name: "add", arguments: {} }] }, { error: down }]);
    const third = scriptedModel([{ error: down }]);
    const fourth = scriptedModel([{ text: "From the fourth." }], { modelId: "fourth" });
    const { outcome, of } = await runScriptedAgent({
      script: [{ error: down }],
      fallback: [second, third, fourth],
      tools: [testTool("add")],
    });
    expect(outcome).toMatchObject({ ok: true, output: { response: "From the fourth." } });
    expect(of("model-request").map(({ modelNodeId }) => modelNodeId)).toEqual([
      "model",
      "fallback",
      "fallback",
      "fallback-2",
      "fallback-3",
    ]);
    expect(of("warning").map(({ message }) => message)).toHaveLength(3);
    expect(fourth.requests[0]?.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool"]);
    expect(JSON.stringify(fourth.requests[0]?.messages)).not.toContain("Hm.");
  });

  it("fails with the last one's error when all of them do", async () => {
    const failing = (message: string) => scriptedModel([{ error: { message } }]);
    const { outcome } = await runScriptedAgent({
      script: [{ error: { message: "One." } }],
      fallback: [failing("Two."), failing("Three.")],
    });
    expect(outcome).toMatchObject({ ok: false, error: { message: "Three.", nodeId: "fallback-2" } });
  });

  it("takes over once the first model's retries are spent, says so, and stays", async () => {
    const fallback = scriptedModel([{ calls: [{ name: "add", arguments: {} }] }, { text: "From the second." }], {
      modelId: "second",
    });
    const { outcome, model, of } = await runScriptedAgent({
      script: () => ({ error: broken }),
      fallback,
      tools: [testTool("add")],
    });
    expect(model.requests).toHaveLength(4);
    expect(fallback.requests).toHaveLength(2);
    expect(of("warning")[0]?.message).toContain("second takes over");
    expect(of("model-request").at(-1)).toMatchObject({ modelNodeId: "fallback", edgeId: "fallback-edge" });
    expect(outcome).toMatchObject({ ok: true, output: { response: "From the second." } });
  });

  it("gets a conversation without the first model's signatures", async () => {
    const fallback = scriptedModel([{ text: "Mine." }]);
    const script = [{ reasoning: "secret thought", calls: [{ name: "add", arguments: {} }] }, { error: denied }];
    await runScriptedAgent({ script, fallback, tools: [testTool("add")] });
    const assistant = fallback.requests[0]?.messages.find((message) => message.role === "assistant");
    expect(assistant).toEqual({
      role: "assistant",
      parts: [{ type: "tool-call", callId: "call_1_1", toolName: "add", arguments: "{}" }],
    });
  });

  it("is offered no tools when it cannot call any", async () => {
    const fallback = scriptedModel([{ text: "Mine." }], { capabilities: { tools: false } });
    await runScriptedAgent({ script: [{ error: denied }], fallback, tools: [testTool("add")] });
    expect(fallback.requests[0]?.tools).toEqual([]);
  });

  it("is not used for an answer that was already streaming", async () => {
    const fallback = scriptedModel([{ text: "Other." }]);
    const { outcome } = await runScriptedAgent({ script: [{ text: "Half", error: reset }], fallback });
    expect(fallback.requests).toHaveLength(0);
    expect(outcome.ok).toBe(false);
  });
});

describe("onError retry", () => {
  const settings = { onError: "retry" as const, retries: 2 };

  it("tries again and keeps the conversation so far", async () => {
    const add = testTool("add");
    const { outcome, model, of } = await runScriptedAgent({
      script: (_request, index) =>
        index === 0
          ? { calls: [{ name: "add", arguments: {} }] }
          : index === 1
            ? { text: "Half", error: reset }
            : { text: "Whole." },
      settings,
      tools: [add],
    });
    expect(outcome).toMatchObject({ ok: true, output: { response: "Whole." } });
    expect(add.inputs).toHaveLength(1);
    expect(model.requests[2]?.messages).toEqual(model.requests[1]?.messages);
    expect(of("retry")).toMatchObject([{ attempt: 1, maxAttempts: 2 }]);
  });

  it("stops after the set number of retries", async () => {
    const { outcome, model } = await runScriptedAgent({ script: () => ({ text: "Half", error: reset }), settings });
    expect(model.requests).toHaveLength(3);
    expect(outcome.ok).toBe(false);
  });

  it("does not repeat what cannot help", async () => {
    const { model } = await runScriptedAgent({ script: () => ({ error: denied }), settings });
    expect(model.requests).toHaveLength(1);
  });

  it("is off by default", async () => {
    const host = testHost();
    const { model } = await runScriptedAgent({ host, script: () => ({ text: "Half", error: reset }) });
    expect(model.requests).toHaveLength(1);
  });
});
