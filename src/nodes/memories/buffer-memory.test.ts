import { describe, expect, it } from "vitest";
import { messageText } from "../../engine/model/message.ts";
import { memoryStore } from "../../engine/in-memory/memory-store.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { bufferMemory } from "./buffer-memory.ts";
import { type Chat, chatWithMemory } from "./testing/chat-with-memory.ts";

const chat = (message: string, options: Chat = {}) => chatWithMemory(bufferMemory, message, options);
const key = { workflowId: "w1", sessionId: "w1:default" };

describe("buffer-memory", () => {
  it("remembers everything in this tab, and writes nothing to the database", async () => {
    const host = testHost();
    for (let turn = 1; turn <= 60; turn += 1) await chat(`Turn ${turn}`, { host });
    const { sent, of } = await chat("Last", { host });
    expect(sent).toHaveLength(121);
    expect(sent[0]).toBe("Turn 1");
    expect(of("memory-load")[0]).toMatchObject({ session: "w1:default", messages: 120 });
    expect(host.messages.writes).toBe(0);
    expect(host.tab.messagesOf(key)).toHaveLength(122);
  });

  it("says so once where there is no tab and it ends with the run", async () => {
    const host = testHost();
    host.tabLastsFor = "run";
    const { of } = await chat("One", { host });
    expect(of("warning")).toMatchObject([{ hint: "Set its storage to Postgres to keep conversations." }]);
    expect((await chat("One", { host, config: { storage: "postgres" } })).of("warning")).toEqual([]);
  });

  it("remembers in the database when told so", async () => {
    const config = { storage: "postgres" };
    const { host } = await chat("One", { config });
    expect((await chat("Two", { host, config })).sent).toEqual(["One", "Re: One", "Two"]);
    expect(host.messages.messagesOf(key).map(messageText)).toEqual(["One", "Re: One", "Two", "Re: Two"]);
    expect(host.tab.messagesOf(key)).toEqual([]);
  });

  it("S39 keeps sessions and workflows apart, unless the scope says otherwise", async () => {
    const { host } = await chat("One", { input: { sessionId: "s" } });
    expect((await chat("Two", { host, input: { sessionId: "t" } })).sent).toEqual(["Two"]);
    expect((await chat("Two", { host, workflow: "w2", input: { sessionId: "s" } })).sent).toEqual(["Two"]);
    const shared = { host, config: { scope: "all" }, input: { sessionId: "s" } };
    await chat("Three", shared);
    expect((await chat("Four", { ...shared, workflow: "w2" })).sent).toEqual(["Three", "Re: Three", "Four"]);
  });

  it("takes the session from its template, and the workflow's own when that is blank", async () => {
    const config = { sessionId: "user-{{json.user}}" };
    const { host } = await chat("One", { config, input: { user: "ann" } });
    expect(host.tab.messagesOf({ workflowId: "w1", sessionId: "user-ann" })).toHaveLength(2);
    await chat("Two", { host, config: { sessionId: "  " } });
    expect(host.tab.messagesOf(key).map(messageText)).toEqual(["Two", "Re: Two"]);
    await chat("Three", { host, config: { sessionId: "{{ json.sessionId }}" } });
    expect(host.tab.messagesOf(key)).toHaveLength(4);
  });

  it.each([
    ["{{json.userId}}", {}],
    ["user-{{json.userId}}", {}],
    ["user-{{json.user.id}}", { user: {} }],
    ["{{json.userId}}", { userId: null }],
    ["user-{{json.userId}}", { userId: "" }],
    ["{{json.userId}}", { userId: {} }],
    ["user-{{json.userId}}", { userId: ["ann"] }],
    ["{{json.sessionId}}", { sessionId: "  " }],
    ["{{json.sessionId}}", { sessionId: null }],
  ])(
    "S39 mixes no people: the session %s with %j fails before anything is read or written",
    async (sessionId, input) => {
      const host = testHost();
      let reads = 0;
      const { load } = host.tab;
      host.tab.load = (...args) => ((reads += 1), load(...args));
      const { end, requests } = await chat("Hi", { host, config: { sessionId }, input });
      expect(end).toMatchObject({ outcome: "failed", error: { code: "expression_error" } });
      expect([reads, host.tab.writes, host.messages.writes, requests.length]).toEqual([0, 0, 0, 0]);
    },
  );

  it("S39 a person whose id ends like a scratchpad's reaches no one else's notes", async () => {
    const config = { sessionId: "{{json.userId}}" };
    for (const side of ["scratchpad", "summary"]) {
      const { host, end } = await chat("Hi", { config, input: { userId: `ann:${side}` } });
      expect(end).toMatchObject({ outcome: "failed", error: { code: "invalid_config" } });
      expect(host.tab.writes).toBe(0);
      const own = await chat("Hi", { config: {}, agent: { sessionId: `ann:${side}` } });
      expect(own.end).toMatchObject({ outcome: "failed", error: { code: "invalid_config", nodeId: "agent" } });
    }
  });

  it("forgets at the start of each run with clearOnRun", async () => {
    const config = { clearOnRun: true };
    const { host } = await chat("One", { config });
    expect((await chat("Two", { host, config })).sent).toEqual(["Two"]);
    expect(host.tab.messagesOf(key)).toHaveLength(2);
  });

  it("writes a turn once, and keeps pairs whole under two runs at once (S60)", async () => {
    const host = testHost();
    await Promise.all(["A", "B", "C", "D"].map((message) => chat(message, { host })));
    expect(host.tab.writes).toBe(4);
    const kept = host.tab.messagesOf(key).map(messageText);
    for (let index = 0; index < kept.length; index += 2) expect(kept[index + 1]).toBe(`Re: ${kept[index]}`);
  });

  it("tells the log when the database refuses, and the answer still comes", async () => {
    const refuse = () => Promise.reject(new Error("permission denied for table"));
    const host = testHost({ messages: { ...memoryStore(), load: refuse, append: refuse } });
    const { end, of } = await chat("One", { host, config: { storage: "postgres" } });
    expect(end).toMatchObject({ outcome: "completed", output: { response: "Re: One" } });
    expect(of("memory-error").map(({ operation, error }) => [operation, error.code, error.nodeId])).toEqual([
      ["load", "memory_error", "memory"],
      ["save", "memory_error", "memory"],
    ]);
    expect(of("memory-error")[0]?.error.message).toContain("permission denied");
  });
});
