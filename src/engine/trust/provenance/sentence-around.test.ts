import { describe, expect, it } from "vitest";
import { sentenceAround } from "./sentence-around.ts";

describe("the sentence around a value", () => {
  it.each([
    ["The anniversary is in May. Write to Ann today.", "Ann", "Write to Ann today."],
    ["Order 4512 is late. Refund order 45 now.", "45", "Refund order 45 now."],
    ["Not bob@acme.example5. Write to (bob@acme.example).", "bob@acme.example", "Write to (bob@acme.example)."],
    ["See https://acme.example/a. Bye.", "acme.example", "See https://acme.example/a."],
    ["Größe L. Das L-Hemd.", "l", "Größe L."],
    ["今天把报告发给张三和李四。", "张三", "今天把报告发给张三和李四。"],
    ["发给Ann吧", "Ann", "发给Ann吧"],
  ])("%s | %s", (text, value, sentence) => {
    expect(sentenceAround({ mails: [{ body: text }] }, value)).toBe(sentence);
  });

  it.each([
    ["The anniversary is in May.", "Ann"],
    ["It costs 2025 euros.", "5"],
    ["Write to xbob@acme.example.", "bob@acme.example"],
    ["Zürich", "rich"],
    ["ann".repeat(100_000), "ann"],
  ])("is not that of a longer word: %.40s | %s", (text, value) => {
    expect(sentenceAround(text, value)).toBeUndefined();
  });
});
