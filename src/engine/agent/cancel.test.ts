import { describe, expect, it } from "vitest";
import type { TurnWriteOptions } from "../memory/memory.ts";
import { assistantMessage, type Message, messageText, toolCalls, userMessage } from "../model/message.ts";
import { runScriptedAgent, testMemory, testTool } from "../testing/run-scripted-agent.ts";
import { testHost } from "../testing/test-host.ts";

describe("S56 Cancel", () => {
  it("aborts the open request at once and remembers the turn as incomplete, and nothing else", async () => {
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
    expect(memory.writes).toEqual([
      {
        session: "session",
        messages: [
          userMessage("Hello"),
          { role: "assistant", parts: [{ type: "text", text: "One two" }], incomplete: "cancelled" },
        ],
      },
    ]);
    expect(events.map(({ type }) => type).slice(-2)).toEqual(["iteration-end", "memory-save"]);
    expect(events.at(-2)).toMatchObject({ finish: "cancelled" });
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

  it("remembers an answer as incomplete when it comes between the answer and the write", async () => {
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
    expect(memory.writes.map(({ messages }) => messages.at(-1))).toEqual([
      { ...assistantMessage("Done."), incomplete: "cancelled" },
    ]);
  });

  it("remembers an answer once when it comes upon its write", async () => {
    const controller = new AbortController();
    const host = testHost();
    const key = { workflowId: "w", sessionId: "session" };
    const store = host.messages;
    const memory = {
      ...testMemory(),
      async addMessages(_session: string, messages: Message[], _turn: unknown, write?: TurnWriteOptions) {
        await store.append(key, messages, write && { id: write.id });
        if (!controller.signal.aborted) {
          controller.abort();
          await new Promise(() => undefined);
        }
      },
    };
    await runScriptedAgent({ script: [{ text: "Done." }], host, memory, signal: controller.signal });
    expect(store.messagesOf(key)).toEqual([userMessage("Hello"), assistantMessage("Done.")]);
  });

  it("remembers the question when it comes before the first word, and while the conversation is loaded", async () => {
    for (const before of ["model-request", "memory-load"]) {
      const controller = new AbortController();
      const memory = testMemory();
      if (before === "memory-load") {
        memory.getMessages = () => {
          controller.abort();
          return new Promise(() => undefined);
        };
      }
      await runScriptedAgent({
        script: [{ hang: true }],
        memory,
        signal: controller.signal,
        onEvent: ({ type }) => {
          if (type === before) controller.abort();
        },
      });
      expect(memory.writes.map(({ messages }) => messages)).toEqual([
        [userMessage("Hello"), { role: "assistant", parts: [], incomplete: "cancelled" }],
      ]);
    }
  });

  it("keeps the results that were there when it came between two calls, and no call without one", async () => {
    const controller = new AbortController();
    const memory = testMemory();
    const calls = ["quick", "slow", "later"].map((name) => ({ name, arguments: {} }));
    const tools = [
      testTool("quick", "done"),
      testTool("slow", () => {
        controller.abort();
        return new Promise(() => undefined);
      }),
      testTool("later"),
    ];
    await runScriptedAgent({
      script: [{ text: "Looking.", calls }],
      tools,
      memory,
      settings: { toolConcurrency: 1 },
      signal: controller.signal,
    });
    const [question, asked, ...rest] = memory.writes[0]?.messages ?? [];
    expect(question).toEqual(userMessage("Hello"));
    expect(asked?.role === "assistant" && toolCalls(asked).map(({ toolName }) => toolName)).toEqual(["quick", "slow"]);
    expect(rest).toMatchObject([
      { role: "tool", toolName: "quick", ok: true, text: "done" },
      { role: "tool", toolName: "slow", ok: false },
      { role: "assistant", parts: [], incomplete: "cancelled" },
    ]);

    const next = await runScriptedAgent({ script: [{ text: "Yes." }], memory, settings: { userMessage: "And now?" } });
    const sent = next.model.requests[0]?.messages ?? [];
    expect(sent.slice(1).map(({ role }) => role)).toEqual(["user", "assistant", "tool", "tool", "assistant", "user"]);
    expect(sent.map(messageText).at(-2)).toContain("ended early because it was stopped");
  });

  it("keeps no calls where the memory is to have none, and the text that came before them", async () => {
    const controller = new AbortController();
    const memory = testMemory();
    await runScriptedAgent({
      script: [{ text: "Looking.", calls: [{ name: "slow", arguments: {} }] }],
      tools: [
        testTool("slow", () => {
          controller.abort();
          return new Promise(() => undefined);
        }),
      ],
      memory,
      settings: { rememberToolCalls: "none" },
      signal: controller.signal,
    });
    expect(memory.writes[0]?.messages).toEqual([
      userMessage("Hello"),
      { ...assistantMessage("Looking."), incomplete: "cancelled" },
    ]);
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
