import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../../model/chat-model.ts";
import { messageSchema } from "../../model/message-schema.ts";
import { assistantMessage, type Message, messageText, userMessage } from "../../model/message.ts";
import { runScriptedAgent, testMemory, testTool } from "../../testing/run-scripted-agent.ts";
import { scriptedModel } from "../../testing/scripted-model.ts";
import { testHost } from "../../testing/test-host.ts";
import { RunError } from "../../errors.ts";
import type { Memory } from "../../memory/memory.ts";
import { fromFirstQuestion, repairHistory } from "./agent-memory.ts";

const longResult = "r".repeat(2_000);
const script = [
  { reasoning: "Hm.", text: "Looking.", calls: [{ name: "look", arguments: { at: "sky" } }] },
  { text: "Blue." },
];

async function saved(rememberToolCalls: "none" | "compact" | "full"): Promise<Message[]> {
  const memory = testMemory();
  await runScriptedAgent({
    script,
    memory,
    tools: [testTool("look", longResult)],
    settings: { rememberToolCalls, userMessage: "Colour?" },
  });
  expect(memory.writes).toHaveLength(1);
  return memory.writes[0]?.messages ?? [];
}

describe("the pages that an answer rests on", () => {
  it("are remembered with it", async () => {
    const sources = [{ url: "https://example.com/sky", title: "The sky" }];
    const model = scriptedModel([{ text: "Blue." }]);
    async function* cited(request: ModelRequest) {
      for await (const event of model.stream(request))
        yield event.type === "finish" ? { ...event, message: { ...event.message, sources } } : event;
    }
    const memory = testMemory();
    await runScriptedAgent({ script: [], model: { ...model, stream: cited }, memory });
    expect(memory.writes[0]?.messages.at(-1)).toMatchObject({ role: "assistant", sources });
    expect(messageSchema.parse(memory.writes[0]?.messages.at(-1))).toMatchObject({ sources });
  });
});

describe("rememberToolCalls", () => {
  it("none keeps question and answer", async () => {
    expect(await saved("none")).toEqual([userMessage("Colour?"), assistantMessage("Blue.")]);
  });

  it("compact keeps name, arguments and the first 500 characters of the result", async () => {
    const messages = await saved("compact");
    expect(messages.map((message) => message.role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(messages[1]).toEqual({
      role: "assistant",
      parts: [
        { type: "text", text: "Looking." },
        { type: "tool-call", callId: "call_1_1", toolName: "look", arguments: '{"at":"sky"}' },
      ],
    });
    expect(messages[2] && messageText(messages[2])).toBe(`${"r".repeat(500)}…`);
  });

  it("full keeps the whole exchange", async () => {
    const messages = await saved("full");
    expect(messages[2] && messageText(messages[2])).toBe(longResult);
    expect(messages[1]).toMatchObject({ parts: [{ type: "reasoning" }, { type: "text" }, { type: "tool-call" }] });
  });
});

describe("memory", () => {
  it("uses the agent's own session when there is one", async () => {
    const memory = testMemory();
    const { of } = await runScriptedAgent({ script: [{ text: "Hi" }], memory, settings: { sessionId: "mine" } });
    expect(memory.writes[0]?.session).toBe("mine");
    expect(of("memory-load")).toMatchObject([{ memoryNodeId: "memory", edgeId: "memory-edge", session: "mine" }]);
    expect(of("memory-save")).toMatchObject([{ session: "mine", messages: 2 }]);
  });

  it("tries twice more what failed, says so, and names a write the same each time", async () => {
    const ids: (string | undefined)[] = [];
    const memory = testMemory();
    const failing = {
      ...memory,
      addMessages: (...args: Parameters<Memory["addMessages"]>) => {
        ids.push(args[3]?.id);
        return ids.length < 3 ? Promise.reject(new Error("restarting")) : memory.addMessages(...args);
      },
    };
    const { of } = await runScriptedAgent({ script: [{ text: "Hi" }], memory: failing });
    expect(of("retry")).toMatchObject([
      { nodeId: "memory", attempt: 1, maxAttempts: 2, error: { code: "memory_error" } },
      { nodeId: "memory", attempt: 2, maxAttempts: 2 },
    ]);
    expect(of("memory-save")).toHaveLength(1);
    expect(of("memory-error")).toEqual([]);
    expect(memory.writes).toHaveLength(1);
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toBeTypeOf("string");
  });

  it("stores the log before a turn, and names the turn by its answer, where the run may be resumed", async () => {
    const host = testHost();
    const order: string[] = [];
    host.checkpoint = async () => void order.push("checkpoint");
    const ids: (string | undefined)[] = [];
    const memory = testMemory();
    const watched = {
      ...memory,
      addMessages: (...args: Parameters<Memory["addMessages"]>) => {
        order.push("write");
        ids.push(args[3]?.id);
        return memory.addMessages(...args);
      },
    };
    const { of } = await runScriptedAgent({ script: [{ text: "Hi" }], memory: watched, host });
    expect(ids).toEqual([`${of("model-response")[0]?.callId}/1`]);
    expect(order.slice(-2)).toEqual(["checkpoint", "write"]);
  });

  it("loads the conversation once the memory answers", async () => {
    const memory = testMemory();
    let asked = 0;
    const failing = {
      ...memory,
      getMessages: (session: string) =>
        ++asked < 3 ? Promise.reject(new Error("restarting")) : memory.getMessages(session),
    };
    const { of } = await runScriptedAgent({ script: [{ text: "Hi" }], memory: failing });
    expect(of("memory-load")).toHaveLength(1);
    expect(of("memory-error")).toEqual([]);
  });

  it("does not repeat what was refused for good", async () => {
    const refused = new RunError({ code: "memory_error", message: "No.", hint: "Look.", retryable: false });
    const memory = { ...testMemory(), addMessages: () => Promise.reject(refused) };
    const { of } = await runScriptedAgent({ script: [{ text: "Hi" }], memory });
    expect(of("retry")).toEqual([]);
    expect(of("memory-error")).toMatchObject([{ operation: "save", error: { retryable: false } }]);
  });

  it("goes on without a memory that cannot be read", async () => {
    const memory = { ...testMemory(), getMessages: () => Promise.reject(new Error("down")) };
    const { outcome, of } = await runScriptedAgent({ script: [{ text: "Hi" }], memory });
    expect(outcome).toMatchObject({ ok: true, output: { response: "Hi" } });
    expect(of("memory-error")).toMatchObject([{ operation: "load", error: { code: "memory_error" } }]);
    expect(of("memory-error")[0]?.error.message).toContain("down");
  });

  it("gives its answer although the memory cannot be written", async () => {
    const memory = { ...testMemory(), addMessages: () => Promise.reject(new Error("full")) };
    const { outcome, of } = await runScriptedAgent({ script: [{ text: "Hi" }], memory });
    expect(outcome).toMatchObject({ ok: true, output: { response: "Hi" } });
    expect(of("memory-error")).toMatchObject([{ operation: "save" }]);
  });

  it("does not wait forever for a memory that hangs", async () => {
    const memory = { ...testMemory(), getMessages: () => new Promise<never>(() => undefined) };
    const { outcome, of } = await runScriptedAgent({ script: [{ text: "Hi" }], memory });
    expect(outcome.ok).toBe(true);
    expect(of("memory-error")[0]?.error.message).toContain("within 30 s");
  });

  it("keeps the question and the error when the model fails", async () => {
    const memory = testMemory();
    await runScriptedAgent({ script: [{ error: {} }], memory });
    expect(memory.writes.map(({ messages }) => messages)).toEqual([
      [
        userMessage("Hello"),
        {
          role: "assistant",
          parts: [],
          incomplete: "error",
          failure: { message: "The scripted model failed.", hint: "Read the script." },
        },
      ],
    ]);
  });
});

function call(...ids: string[]): Message {
  return {
    role: "assistant",
    parts: ids.map((callId) => ({ type: "tool-call", callId, toolName: "look", arguments: "{}" })),
  };
}

function result(callId: string): Message {
  return { role: "tool", callId, toolName: "look", ok: true, text: callId };
}

describe("repairHistory", () => {
  it("drops results without a call and calls without a result", () => {
    const history = [result("lost"), userMessage("a"), call("1", "2"), result("2"), assistantMessage("b"), call("3")];
    expect(repairHistory(history)).toEqual([userMessage("a"), call("2"), result("2"), assistantMessage("b")]);
  });

  it("puts results into the order of their calls", () => {
    const history = [userMessage("a"), call("1", "2"), result("2"), result("1")];
    expect(repairHistory(history)).toEqual([userMessage("a"), call("1", "2"), result("1"), result("2")]);
  });

  it("drops system messages", () => {
    expect(repairHistory([{ role: "system", text: "x" }, userMessage("a")])).toEqual([userMessage("a")]);
  });
});

describe("fromFirstQuestion", () => {
  it("leaves out what is left of a turn whose question fell out of the window", () => {
    const rest = [userMessage("a"), assistantMessage("b")];
    expect(fromFirstQuestion([call("1"), result("1"), assistantMessage("old"), ...rest])).toEqual(rest);
    expect(fromFirstQuestion(rest)).toEqual(rest);
    expect(fromFirstQuestion([])).toEqual([]);
  });

  it("keeps answers that have no question at all behind one", () => {
    expect(fromFirstQuestion([assistantMessage("b")]).map(({ role }) => role)).toEqual(["user", "assistant"]);
  });
});
