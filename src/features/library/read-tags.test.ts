import { expect, it } from "vitest";
import { readTags } from "./read-tags.ts";

it("takes words between commas, each once", () => {
  expect(readTags(" support,  weekly   report ,Support,, ")).toEqual({ tags: ["support", "weekly report"] });
  expect(readTags("")).toEqual({ tags: [] });
});

it("says what is too much", () => {
  expect(readTags(Array.from({ length: 21 }, (_, index) => `t${index}`).join()).problem).toContain("at most 20");
  expect(readTags("x".repeat(41)).problem).toContain("longer than 40");
});
