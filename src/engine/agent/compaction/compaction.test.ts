import { describe, expect, it } from "vitest";
import { assistantMessage, messageText, toolCalls, userMessage } from "../../model/message.ts";
import type { ModelRequest } from "../../model/chat-model.ts";
import { runScriptedAgent, testMemory, testTool } from "../../testing/run-scripted-agent.ts";
import type { ScriptedTurn } from "../../testing/scripted-model.ts";
import { startConversation } from "../turn/conversation.ts";
import { compactionInstruction } from "./compaction-texts.ts";

/** Some 600 tokens a page, of which one word stands on that page alone. */
const page = (number: number) => `On page ${number} stands marker${number}. ${"filler words ".repeat(180)}`;
const reader = () => testTool("read_page", ({ number }) => ({ ok: true, output: page(Number(number)) }));
const settings = { compactAbove: 2_000, maxIterations: 20, userMessage: "What stands on the pages?" };

const lastText = ({ messages }: ModelRequest) => messageText(messages.at(-1) ?? userMessage(""));
const isCompaction = (request: ModelRequest) => lastText(request) === compactionInstruction;

/** Reads so many pages, one after another, and then does what `after` says. */
function reading(pages: number, after: (request: ModelRequest) => ScriptedTurn = () => ({ text: "Read." })) {
  let read = 0;
  let summaries = 0;
  return (request: ModelRequest): ScriptedTurn => {
    if (isCompaction(request)) return { text: `Summary ${++summaries}: read up to page ${read}.` };
    if (read === pages) return after(request);
    read += 1;
    return { calls: [{ name: "read_page", arguments: { number: read }, callId: `read-${read}` }] };
  };
}

describe("an agent whose conversation gets too long for its model", () => {
  it("replaces its oldest steps by a summary, and keeps the question, the latest steps and equal beginnings in between", async () => {
    const { model, outcome, of } = await runScriptedAgent({ script: reading(8), tools: [reader()], settings });
    expect(outcome).toMatchObject({ ok: true, output: { response: "Read." } });
    const compactions = of("compaction");
    expect(compactions.length).toBeGreaterThan(1);
    expect(compactions[0]).toMatchObject({ limit: 2_000, window: null });
    expect(of("model-request").filter(({ purpose }) => purpose === "compaction")).toHaveLength(compactions.length);

    const answers = model.requests.filter((request) => !isCompaction(request));
    const first = answers.findIndex(({ messages }) =>
      messages.some((message) => messageText(message).includes("Summary 1:")),
    );
    const texts = answers[first]?.messages.map(messageText) ?? [];
    expect(texts[1]).toBe("What stands on the pages?");
    expect(texts.filter((text) => text.includes("marker1."))).toEqual([]);
    expect(texts.at(-1)).toContain("word for word:\nWhat stands on the pages?");
    // The latest result is there with the call that it answers.
    const { messages } = answers[first] ?? { messages: [] };
    const result = messages.findLast((message) => message.role === "tool");
    const ids = messages
      .flatMap((message) => (message.role === "assistant" ? toolCalls(message) : []))
      .map(({ callId }) => callId);
    expect(ids).toContain(result?.role === "tool" ? result.callId : undefined);
    for (const [index, request] of answers.entries()) {
      const next = answers[index + 1];
      const isCompacted = next?.messages.some(
        (message, at) => message !== request.messages[at] && at < request.messages.length - 1 && at > 0,
      );
      if (next && !isCompacted)
        expect(next.messages.slice(1, request.messages.length)).toEqual(request.messages.slice(1));
    }
  });

  it("finds again what was replaced, word for word", async () => {
    const recall = (request: ModelRequest): ScriptedTurn => {
      const result = request.messages.findLast((message) => message.role === "tool");
      if (result?.toolName === "recall_earlier") return { text: messageText(result) };
      expect(request.tools.map(({ name }) => name)).toContain("recall_earlier");
      return { calls: [{ name: "recall_earlier", arguments: { query: "marker1" } }] };
    };
    const { model, outcome } = await runScriptedAgent({ script: reading(6, recall), tools: [reader()], settings });
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(["read_page"]);
    expect(outcome).toMatchObject({
      ok: true,
      output: { response: expect.stringContaining("On page 1 stands marker1.") },
    });
  });

  it("finds words wherever they stand in a result", async () => {
    const tool = testTool("read_page", ({ number }) => ({
      ok: true,
      output:
        Number(number) === 1 ? `${"-".repeat(1_494)}marker1 ${"filler words ".repeat(400)}` : page(Number(number)),
    }));
    const recall = (request: ModelRequest): ScriptedTurn => {
      const result = request.messages.findLast((message) => message.role === "tool");
      if (result?.role === "tool" && result.toolName === "recall_earlier") return { text: messageText(result) };
      return { calls: [{ name: "recall_earlier", arguments: { query: "marker1" } }] };
    };
    const { outcome } = await runScriptedAgent({ script: reading(6, recall), tools: [tool], settings });
    expect(outcome).toMatchObject({ ok: true, output: { response: expect.stringContaining("-marker1 filler") } });
  });

  it("remembers the whole turn", async () => {
    const memory = testMemory();
    await runScriptedAgent({
      script: reading(8),
      tools: [reader()],
      memory,
      settings: { ...settings, rememberToolCalls: "full" },
    });
    const kept = memory.sessions.get("session") ?? [];
    expect(kept.filter(({ role }) => role === "tool")).toHaveLength(8);
    expect(kept.map(messageText).join("\n")).not.toContain("Summary 1");
  });

  it("goes on with all of it where no summary comes, says so, and asks again once the request has grown", async () => {
    const script = reading(8);
    let asked = 0;
    const { model, outcome, of } = await runScriptedAgent({
      script: (request) => (isCompaction(request) && ++asked === 1 ? { text: " " } : script(request)),
      tools: [reader()],
      settings,
    });
    expect(outcome).toMatchObject({ ok: true });
    expect(of("warning").map(({ message }) => message)).toEqual([
      "The conversation could not be compacted, so it is sent in full. The model wrote no summary.",
    ]);
    const [failed, next] = of("compaction");
    expect(next?.tokens).toBeGreaterThanOrEqual((failed?.tokens ?? 0) * 1.1);
    const after = model.requests.findIndex(isCompaction) + 1;
    expect(model.requests[after]?.messages.filter(({ role }) => role === "tool")).toHaveLength(4);
  });

  it("compacts nothing where the settings want none, where the window is not known, and where it would save too little", async () => {
    const long = "x".repeat(12_000);
    for (const other of [
      { ...settings, compaction: false },
      { ...settings, compactAbove: null },
      { ...settings, userMessage: long },
    ]) {
      const { of } = await runScriptedAgent({ script: reading(1), tools: [reader()], settings: other });
      expect(of("compaction")).toEqual([]);
    }
  });
});

it("knows in edited messages what a compaction has put in, so that no memory keeps it", () => {
  const conversation = startConversation("", [], userMessage("Question"));
  conversation.append(assistantMessage("First"), assistantMessage("Second"));
  conversation.replaceOldest(1, userMessage("Summary"), userMessage("Said anew"));
  conversation.replace(structuredClone(conversation.messages()));
  expect(conversation.turn.map(messageText)).toEqual(["First", "Second"]);
  conversation.append(assistantMessage("Third"));
  conversation.replaceOldest(2, userMessage("Summary 2"), userMessage("Said again"));
  expect(conversation.messages().map(messageText)).toEqual(["Question", "Summary 2", "Third", "Said again"]);
});
