import { describe, expect, it } from "vitest";
import { pausedInputLabel, pauseText } from "./pause-text.ts";
import { readInput } from "./read-input.ts";

describe("readInput", () => {
  it("takes any JSON for a node, an object for a tool call, messages for a model call", () => {
    expect(readInput("[1, 2]", "node")).toEqual({ ok: true, input: [1, 2] });
    expect(readInput('{"a": 1}', "tool-call")).toEqual({ ok: true, input: { a: 1 } });
    const messages = [{ role: "user", parts: [] }];
    expect(readInput(JSON.stringify({ messages }), "model-call")).toEqual({ ok: true, input: { messages } });
  });

  it.each<[string, Parameters<typeof readInput>[1], RegExp]>([
    ["{", "node", /not valid JSON/],
    ["[1]", "tool-call", /must be a JSON object/],
    ['{"messages": []}', "model-call", /at least one message/],
    ["{}", "model-call", /at least one message/],
  ])("says what is wrong with %s", (text, kind, problem) => {
    const read = readInput(text, kind);
    expect(read.ok ? "" : read.problem).toMatch(problem);
  });
});

describe("pauseText", () => {
  it("names the place", () => {
    expect(pauseText({ kind: "node" }, "Agent")).toBe("Paused before Agent");
    expect(pauseText({ kind: "model-call" }, "GPT")).toBe("Paused before a call to GPT");
    expect(pauseText({ kind: "tool-call", toolName: "search" }, "Search")).toBe("Paused before the tool call search");
    expect(pausedInputLabel("tool-call")).toBe("Arguments");
  });
});
