import { describe, expect, it } from "vitest";
import type { Message } from "../../engine/model/message.ts";
import { assistantMessage, userMessage } from "../../engine/model/message.ts";
import { emptyRunState, type RunState } from "../../engine/run/run-state.ts";
import { answerText, partsOfRun, pastEntries } from "./chat-parts.ts";

function finished(change: Partial<RunState>): RunState {
  return { ...emptyRunState("run"), status: "completed", ...change };
}

describe("answerText", () => {
  it("is an agent's response, a text, or JSON", () => {
    expect(answerText({ response: "Hello", metadata: {} })).toBe("Hello");
    expect(answerText("Hello")).toBe("Hello");
    expect(answerText({ response: { city: "Oslo" } })).toContain('"city": "Oslo"');
    expect(answerText([1, 2])).toMatch(/^```json\n\[/);
    expect(answerText(null)).toBe("");
  });
});

describe("partsOfRun", () => {
  it("shows the output of a workflow without a model", () => {
    expect(partsOfRun(finished({ output: "done" }))).toEqual([
      { kind: "text", id: "output", text: "done", streaming: false },
    ]);
  });

  it("ends with the failure, but a stopped run is no failure", () => {
    const error = { code: "model_error", message: "No.", hint: "Try.", retryable: false } as const;
    expect(partsOfRun(finished({ status: "failed", error }))).toEqual([{ kind: "error", id: "error", error }]);
    expect(partsOfRun(finished({ status: "cancelled", error }))).toEqual([]);
  });
});

describe("pastEntries", () => {
  it("joins calls, results and the answer of one question", () => {
    const messages: Message[] = [
      userMessage("2+2?"),
      { role: "assistant", parts: [{ type: "tool-call", callId: "c", toolName: "calculator", arguments: "{}" }] },
      { role: "tool", callId: "c", toolName: "calculator", ok: true, text: "4" },
      assistantMessage("It is 4."),
      userMessage("Thanks"),
      assistantMessage("Welcome."),
    ];
    const entries = pastEntries(messages);
    expect(entries.map((entry) => entry.role)).toEqual(["user", "assistant", "user", "assistant"]);
    expect(entries[1]).toMatchObject({
      parts: [
        { kind: "past-tool", toolName: "calculator", output: "4", ok: true },
        { kind: "text", text: "It is 4." },
      ],
    });
  });

  it("keeps the pictures of a question", () => {
    const url = "data:image/png;base64,AAAA";
    const question: Message = {
      role: "user",
      parts: [
        { type: "text", text: "Look" },
        { type: "image", url },
      ],
    };
    expect(pastEntries([question])).toEqual([{ role: "user", id: "past-0", message: { text: "Look", images: [url] } }]);
  });
});
