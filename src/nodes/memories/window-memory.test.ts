import { describe, expect, it } from "vitest";
import { assistantMessage, type Message, messageText, userMessage } from "../../engine/model/message.ts";
import { memoryStore } from "../../engine/in-memory/memory-store.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { wholeWindow } from "./message-window.ts";
import { type Chat, chatWithMemory } from "./testing/chat-with-memory.ts";
import { windowMemory } from "./window-memory.ts";

const chat = (message: string, options: Chat = {}) => chatWithMemory(windowMemory, message, options);

const down = () => Promise.reject(new Error("connection refused"));

describe("window-memory", () => {
  it("remembers from run to run, in one session per workflow by default", async () => {
    const { host } = await chat("One");
    const second = await chat("Two", { host });
    expect(second.sent).toEqual(["One", "Re: One", "Two"]);
    expect(host.messages.messagesOf({ workflowId: "w1", sessionId: "w1:default" }).map(messageText)).toEqual([
      "One",
      "Re: One",
      "Two",
      "Re: Two",
    ]);
    expect(second.of("memory-load")[0]).toMatchObject({ session: "w1:default", messages: 2 });
  });

  it("keeps sessions and workflows apart", async () => {
    const { host } = await chat("One", { input: { sessionId: "s" } });
    expect((await chat("Two", { host, input: { sessionId: "other" } })).sent).toEqual(["Two"]);
    expect((await chat("Two", { host, workflow: "w2", input: { sessionId: "s" } })).sent).toEqual(["Two"]);
    expect((await chat("Two", { host, input: { sessionId: "s" } })).sent).toEqual(["One", "Re: One", "Two"]);
  });

  it("shares sessions between workflows when the scope says so", async () => {
    const shared = { config: { scope: "all" }, input: { sessionId: "s" } };
    const { host } = await chat("One", shared);
    expect((await chat("Two", { ...shared, host, workflow: "w2" })).sent).toEqual(["One", "Re: One", "Two"]);
  });

  it("gives the last maxMessages and prunes the rest", async () => {
    const config = { maxMessages: 2 };
    const { host } = await chat("One", { config });
    await chat("Two", { host, config });
    expect((await chat("Three", { host, config })).sent).toEqual(["Two", "Re: Two", "Three"]);
    expect(host.messages.messagesOf({ workflowId: "w1", sessionId: "w1:default" })).toHaveLength(2);
  });

  it("keeps everything with retention all", async () => {
    const config = { maxMessages: 2, retention: "all" };
    const { host } = await chat("One", { config });
    await chat("Two", { host, config });
    expect((await chat("Three", { host, config })).sent).toEqual(["Two", "Re: Two", "Three"]);
    expect(host.messages.messagesOf({ workflowId: "w1", sessionId: "w1:default" })).toHaveLength(6);
  });

  it("forgets the session at the start of each run with clearOnRun", async () => {
    const config = { clearOnRun: true };
    const { host } = await chat("One", { config });
    expect((await chat("Two", { host, config })).sent).toEqual(["Two"]);
    expect(host.messages.messagesOf({ workflowId: "w1", sessionId: "w1:default" })).toHaveLength(2);
  });

  it("gives and keeps whole turns", async () => {
    const config = { maxMessages: 3 };
    const { host } = await chat("One", { config });
    await chat("Two", { host, config });
    expect((await chat("Three", { host, config })).sent).toEqual(["Two", "Re: Two", "Three"]);
    const kept = host.messages.messagesOf({ workflowId: "w1", sessionId: "w1:default" });
    expect(kept.map(messageText)).toEqual(["Two", "Re: Two", "Three", "Re: Three"]);
  });

  it("never starts inside a tool exchange", async () => {
    const script = [{ calls: [{ name: "look", arguments: {} }] }, { text: "Blue." }];
    const { host } = await chat("Colour?", { script, config: { maxMessages: 3, retention: "all" } });
    for (const maxMessages of [2, 3])
      expect((await chat("And?", { host, config: { maxMessages, retention: "all" } })).sent[0]).not.toBe("sky");
  });

  it("tells the log when the database is down, and the run goes on", async () => {
    const host = testHost({ messages: { ...memoryStore(), load: down, append: down } });
    const { end, of } = await chat("One", { host });
    expect(end).toMatchObject({ outcome: "completed", output: { response: "Re: One" } });
    expect(of("memory-error")).toMatchObject([
      { operation: "load", error: { code: "memory_error", nodeId: "memory" } },
      { operation: "save" },
    ]);
    expect(of("memory-error")[0]?.error.message).toContain("connection refused");
  });

  it("refuses a window outside its bounds", async () => {
    const { end } = await chat("One", { config: { maxMessages: 101 } });
    expect(end).toMatchObject({ outcome: "failed", error: { code: "invalid_config", nodeId: "memory" } });
  });
});

describe("wholeWindow", () => {
  const call: Message = {
    role: "assistant",
    parts: [{ type: "tool-call", callId: "1", toolName: "look", arguments: "{}" }],
  };
  const result: Message = { role: "tool", callId: "1", toolName: "look", ok: true, text: "sky" };

  it("begins with a question, or at least outside a tool exchange", () => {
    const turn = [userMessage("And?"), call, result];
    expect(wholeWindow([result, assistantMessage("Blue."), ...turn])).toEqual(turn);
    expect(wholeWindow(turn)).toEqual(turn);
    expect(wholeWindow([result])).toEqual([]);
    expect(wholeWindow([call, result, assistantMessage("Blue.")])).toEqual([assistantMessage("Blue.")]);
    expect(wholeWindow([])).toEqual([]);
  });
});
