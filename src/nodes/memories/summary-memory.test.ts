import { describe, expect, it } from "vitest";
import { assistantMessage, messageText, userMessage } from "../../engine/model/message.ts";
import { memoryStore } from "../../engine/in-memory/memory-store.ts";
import type { Script } from "../../engine/testing/scripted-model.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { writeAnswer } from "../../providers/demo/write-answer.ts";
import { firstBatch, verbatimStart } from "./rolling-summary.ts";
import { summaryMemory } from "./summary-memory.ts";
import { type Chat, chatWithMemory } from "./testing/chat-with-memory.ts";

const key = { workflowId: "w1", sessionId: "w1:default" };
const summaryKey = { workflowId: "w1", sessionId: "w1:default:summary" };

/** Answers questions with "Re: …" and requests for a summary with "Sum(…)" of what was to be added. */
const script: Script = (request) => {
  const last = messageText(request.messages.at(-1) ?? userMessage(""));
  const added = last.split("The messages to add:\n")[1]?.split("\n\nWrite")[0];
  const usage = { inputTokens: 7, outputTokens: 3 };
  if (added === undefined) return { text: `Re: ${last}`, usage };
  const before = /The summary so far:\n(.*)\n/.exec(last)?.[1];
  return { text: `Sum(${[before, added.replaceAll("\n", " | ")].filter(Boolean).join(" + ")})`, usage };
};

const chat = (message: string, options: Chat = {}) =>
  chatWithMemory(summaryMemory, message, { script, config: { maxMessages: 2 }, ...options });

describe("summary-memory", () => {
  it("gives the last messages word for word and a rolling summary of the rest, across runs", async () => {
    const { host } = await chat("One");
    await chat("Two", { host });
    const third = await chat("Three", { host });
    expect(third.sent).toEqual([
      "[Summary of the earlier conversation]\nSum(User: One | Assistant: Re: One)",
      "Two",
      "Re: Two",
      "Three",
    ]);
    const fourth = await chat("Four", { host });
    expect(fourth.sent).toEqual([
      "[Summary of the earlier conversation]\nSum(Sum(User: One | Assistant: Re: One) + User: Two | Assistant: Re: Two)",
      "Three",
      "Re: Three",
      "Four",
    ]);
    expect(host.messages.messagesOf(key)).toHaveLength(8);
    expect(host.messages.messagesOf(summaryKey)).toHaveLength(1);
  });

  it("asks the agent's model with purpose summary after the answer was saved, and counts tokens and cost", async () => {
    const { host } = await chat("One");
    const { events, of, end } = await chat("Two", { host });
    expect(of("model-request").map(({ purpose }) => purpose)).toEqual(["answer", "summary"]);
    expect(of("model-response").map((event) => event.usage?.inputTokens)).toEqual([7, 7]);
    const types = events.map((event) => event.type);
    expect(types.indexOf("memory-save")).toBeLessThan(types.lastIndexOf("model-request"));
    expect(end).toMatchObject({ outcome: "completed", usage: { inputTokens: 14, outputTokens: 6 } });
    expect(of("model-request").map((event) => event.fromMemory)).toEqual([2, 0]);
  });

  it("waits for a batch where that is set", async () => {
    const config = { maxMessages: 2, batchSize: 4 };
    const { host } = await chat("One", { config });
    const second = await chat("Two", { host, config });
    expect(second.of("model-request")).toHaveLength(1);
    const third = await chat("Three", { host, config });
    expect(third.sent).toEqual(["One", "Re: One", "Two", "Re: Two", "Three"]);
    expect(third.of("model-request").map(({ purpose }) => purpose)).toEqual(["answer", "summary"]);
  });

  it("keeps a tool exchange together with its question", async () => {
    const withTool: Script = (request, index) =>
      index === 0
        ? { calls: [{ name: "look", arguments: {} }] }
        : typeof script === "function"
          ? script(request, index)
          : {};
    const { host } = await chat("One");
    await chat("Colour?", { host, script: withTool });
    const { sent } = await chat("And?", { host });
    expect(sent.slice(0, 2)).toEqual([
      "[Summary of the earlier conversation]\nSum(User: One | Assistant: Re: One)",
      "Colour?",
    ]);
  });

  it("goes on when the model cannot write the summary, and catches up later", async () => {
    const failing: Script = (request, index) =>
      index === 0 && typeof script === "function"
        ? script(request, index)
        : { error: { code: "model_error", message: "Overloaded." } };
    const { host } = await chat("One");
    const second = await chat("Two", { host, script: failing });
    expect(second.end).toMatchObject({ outcome: "completed", output: { response: "Re: Two" } });
    expect(second.of("memory-error")).toMatchObject([{ operation: "compact", error: { message: "Overloaded." } }]);
    const third = await chat("Three", { host });
    expect(third.sent).toEqual(["One", "Re: One", "Two", "Re: Two", "Three"]);
    expect((await chat("Four", { host })).sent[0]).toContain("Re: Two");
  });

  it("S56 writes nothing more when Stop comes during the summary", async () => {
    const { host } = await chat("One");
    const controller = new AbortController();
    const stopped: Script = (request, index) => {
      if (index === 0 && typeof script === "function") return script(request, index);
      controller.abort();
      return { text: "never" };
    };
    const { end } = await chat("Two", { host, script: stopped, signal: controller.signal });
    expect(end.outcome).toBe("cancelled");
    expect(host.messages.messagesOf(summaryKey)).toEqual([]);
    expect(host.messages.messagesOf(key)).toHaveLength(4);
  });

  it("S60 loses and doubles no message when two runs summarise at once", async () => {
    const { host } = await chat("One");
    await Promise.all(["A", "B", "C"].map((message) => chat(message, { host })));
    const { sent } = await chat("Last", { host });
    const [summary = "", ...rest] = sent;
    for (const word of ["One", "A", "B", "C"]) {
      const inSummary = summary.includes(`User: ${word} `);
      const verbatim = rest.includes(word);
      expect([word, inSummary, verbatim]).toEqual([word, !verbatim, verbatim]);
    }
  });

  it("remembers with the demo model what was said long ago", async () => {
    const withDemo: Script = (request) => ({ text: writeAnswer(request) });
    const { host } = await chat("My name is Ada.", { script: withDemo });
    for (const message of ["One", "Two", "Three"]) await chat(message, { host, script: withDemo });
    const { end } = await chat("What is my name?", { host, script: withDemo });
    expect(JSON.stringify(end.output)).toContain("Your name is Ada.");
  });

  it("forgets the summary with the session", async () => {
    const { host } = await chat("One");
    await chat("Two", { host });
    const config = { maxMessages: 2, clearOnRun: true };
    expect((await chat("Three", { host, config })).sent).toEqual(["Three"]);
    expect(host.messages.messagesOf(summaryKey)).toEqual([]);
  });

  it("reads on when the stored summary was edited into something else", async () => {
    const host = testHost();
    await host.messages.append(summaryKey, [assistantMessage("no JSON")]);
    await chat("One", { host });
    expect((await chat("Two", { host })).sent).toEqual(["One", "Re: One", "Two"]);
  });

  it("tells the log when the database refuses, and the answer still comes", async () => {
    const refuse = () => Promise.reject(new Error("connection refused"));
    const host = testHost({ messages: { ...memoryStore(), load: refuse, loadStored: refuse, append: refuse } });
    const { end, of } = await chat("One", { host });
    expect(end).toMatchObject({ outcome: "completed", output: { response: "Re: One" } });
    expect(of("memory-error").map(({ operation }) => operation)).toEqual(["load", "save"]);
  });
});

describe("firstBatch", () => {
  it("carries whole turns of what one request can take", () => {
    const long = "x".repeat(8_000);
    const stored = Array.from({ length: 40 }, (_, id) => ({
      id,
      message: id % 2 === 0 ? userMessage(long) : assistantMessage(long),
    }));
    expect(firstBatch(stored)).toHaveLength(8);
    expect(firstBatch(stored.slice(0, 6))).toHaveLength(6);
  });
});

describe("verbatimStart", () => {
  const turn = [userMessage("q"), assistantMessage("a")];
  const stored = [...turn, ...turn, ...turn].map((message, id) => ({ id, message }));

  it("keeps whole turns, at most so many messages", () => {
    expect(verbatimStart(stored, 6)).toBe(0);
    expect(verbatimStart(stored, 4)).toBe(2);
    expect(verbatimStart(stored, 3)).toBe(4);
  });

  it("keeps the last turn even where it is longer", () => {
    expect(verbatimStart(stored, 1)).toBe(4);
  });
});
