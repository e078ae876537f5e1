import { describe, expect, it } from "vitest";
import { createThoughtReader } from "./leading-thought.ts";

function read(pieces: readonly string[]) {
  const reader = createThoughtReader();
  const read = [...pieces.map(reader.take), reader.end()];
  return { text: read.map(({ text }) => text).join(""), thought: read.map(({ thought }) => thought).join("") };
}

describe("a thought at the beginning of an answer", () => {
  it.each<[string, { text: string; thought: string }]>([
    ["<think>Hm.</think>\n\nBlue.", { text: "Blue.", thought: "Hm." }],
    ["\n <think>\na < b </thin> </think>x </think>", { text: "x </think>", thought: "\na < b </thin> " }],
    ["<think></think>Blue.", { text: "Blue.", thought: "" }],
    ["<think>Cut off </th", { text: "", thought: "Cut off </th" }],
    ["Use <think> tags.</think>", { text: "Use <think> tags.</think>", thought: "" }],
    ["<thinker>", { text: "<thinker>", thought: "" }],
    ["<thi", { text: "<thi", thought: "" }],
    ["  Blue.", { text: "  Blue.", thought: "" }],
    ["", { text: "", thought: "" }],
  ])("is set apart in %j, however it is cut", (answer, wanted) => {
    expect(read([answer])).toEqual(wanted);
    expect(read([...answer])).toEqual(wanted);
    for (let at = 1; at < answer.length; at += 1) expect(read([answer.slice(0, at), answer.slice(at)])).toEqual(wanted);
  });
});
