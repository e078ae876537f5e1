import { describe, expect, it } from "vitest";
import { type Message, userMessage } from "../model/message.ts";
import { roughTokensAbove } from "./rough-tokens.ts";

const request = (...messages: Message[]) => ({ messages, tools: [] });

describe("roughTokensAbove", () => {
  it("counts four letters a token, and a sign of a dense script as one", () => {
    expect(roughTokensAbove(100, request(userMessage("word ".repeat(100))))).toBe(125);
    expect(roughTokensAbove(100, request(userMessage("返品".repeat(60))))).toBe(120);
    expect(roughTokensAbove(100, request(userMessage("คืนได้".repeat(20))))).toBeGreaterThan(100);
  });

  it("says nothing of what fits", () => {
    expect(roughTokensAbove(100, request(userMessage("word ".repeat(80))))).toBe(0);
    expect(roughTokensAbove(100, request(userMessage("返品".repeat(50))))).toBe(0);
  });

  it("counts results, calls, instructions and the tools themselves, and no file", () => {
    const long = "x".repeat(600);
    const call: Message = {
      role: "assistant",
      parts: [{ type: "tool-call", callId: "a", toolName: "read", arguments: long }],
    };
    const result: Message = { role: "tool", callId: "a", toolName: "read", ok: true, text: long };
    const tool = { name: "read", description: long, parameters: { type: "object" as const } };
    for (const some of [
      request(call),
      request(result),
      request({ role: "system", text: long }),
      { messages: [], tools: [tool] },
    ])
      expect(roughTokensAbove(100, some)).toBeGreaterThanOrEqual(150);
    const file: Message = { role: "user", parts: [{ type: "file", url: `data:application/pdf;base64,${long}` }] };
    expect(roughTokensAbove(100, request(file))).toBe(0);
  });
});
