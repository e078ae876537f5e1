import { expect, it } from "vitest";
import { wordDiff } from "./word-diff.ts";

it("marks the words that differ, and those alone", () => {
  expect(wordDiff("Answer in short sentences.", "Answer in long, plain sentences.")).toEqual({
    before: [
      { text: "Answer in ", changed: false },
      { text: "short", changed: true },
      { text: " sentences.", changed: false },
    ],
    after: [
      { text: "Answer in ", changed: false },
      { text: "long, plain ", changed: true },
      { text: "sentences.", changed: false },
    ],
  });
});

it("puts together what both texts are", () => {
  const [before, after] = ["One two  three\nfour", "One 2 three\nfive four"];
  const diff = wordDiff(before, after);
  expect(diff?.before.map(({ text }) => text).join("")).toBe(before);
  expect(diff?.after.map(({ text }) => text).join("")).toBe(after);
});

it("leaves texts alone that have nothing in common, or too little", () => {
  expect(wordDiff("gpt-4o", "claude")).toBeNull();
  expect(wordDiff("", "new")).toBeNull();
  const words = (mark: string) => Array.from({ length: 1_000 }, (_, index) => `${mark}${index}`).join(" ");
  expect(wordDiff(words("a"), words("b"))).toBeNull();
});
