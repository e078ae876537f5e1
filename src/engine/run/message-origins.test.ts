import { describe, expect, it } from "vitest";
import { assistantMessage, type Message, userMessage } from "../model/message.ts";
import { estimateMessageTokens, estimateTokens } from "../model/estimate-tokens.ts";
import { runScriptedAgent } from "../testing/run-scripted-agent.ts";
import { messageOrigins } from "./message-origins.ts";

const history: Message[] = [userMessage("Before?"), assistantMessage("Yes.")];

describe("messageOrigins", () => {
  it("tells instructions, memory and turn apart in every iteration of a real run", async () => {
    const { events } = await runScriptedAgent({
      script: [{ calls: [{ name: "nothing", arguments: {} }] }, { text: "Done." }],
      settings: { systemPrompt: "Be brief.", userMessage: "Now?" },
      memory: {
        defaultSession: "s",
        label: "test",
        getMessages: () => Promise.resolve(history),
        addMessages: () => Promise.resolve(),
        clear: () => Promise.resolve(),
      },
    });
    const requests = events.flatMap((event) => (event.type === "model-request" ? [event] : []));
    expect(requests.map(messageOrigins)).toEqual([
      ["system", "memory", "memory", "turn"],
      ["system", "memory", "memory", "turn", "turn", "turn"],
    ]);
  });

  it("says nothing of older runs, and takes a summary for the memory's", () => {
    const messages: Message[] = [{ role: "system", text: "Sum up." }, userMessage("…")];
    expect(messageOrigins({ messages, purpose: "answer" })).toBeUndefined();
    expect(messageOrigins({ messages, purpose: "summary", fromMemory: 0 })).toEqual(["system", "memory"]);
  });
});

describe("estimateTokens", () => {
  it("counts four characters a token, and one in dense scripts", () => {
    expect(estimateTokens("")).toBe(0);
    expect(estimateTokens("four char words.")).toBe(4);
    expect(estimateTokens("你好世界")).toBe(4);
  });

  it("counts calls and results of tools", () => {
    const call: Message = {
      role: "assistant",
      parts: [{ type: "tool-call", callId: "1", toolName: "look", arguments: '{"a":"bcd"}' }],
    };
    expect(estimateMessageTokens(call)).toBe(8);
    expect(estimateMessageTokens({ role: "tool", callId: "1", toolName: "look", ok: true, text: "12345678" })).toBe(6);
  });
});
