import { expect, it } from "vitest";
import { changedPart } from "./changed-part.ts";

it("shows short texts whole", () => {
  expect(changedPart("Gives the weather.", "Gives the news.")).toEqual({
    before: "Gives the weather.",
    after: "Gives the news.",
  });
  expect(changedPart("", "New")).toEqual({ before: "", after: "New" });
  expect(changedPart("aa", "aaa")).toEqual({ before: "aa", after: "aaa" });
});

it("cuts what is the same before the first and after the last difference, between characters", () => {
  const long = "🙂".repeat(100);
  const some = "🙂".repeat(60);
  expect(changedPart(`${long}A, same, B${long}`, `${long}C, same, D${long}`)).toEqual({
    before: `…${some}A, same, B${some}…`,
    after: `…${some}C, same, D${some}…`,
  });
});
