import { expect, it } from "vitest";
import { slugProblem, suggestSlug } from "./slug.ts";

it.each([
  ["Ask with tools", "ask-with-tools"],
  ["  Émile's  Übersicht (v2)! ", "emile-s-ubersicht-v2"],
  ["天気", "workflow"],
  [`${"a".repeat(59)} b`, "a".repeat(59)],
])("makes an address of the name %s", (name, slug) => {
  expect(suggestSlug(name)).toBe(slug);
  expect(slugProblem(suggestSlug(name))).toBeUndefined();
});

it.each(["", "a".repeat(61), "Ask", "a b", "-a", "a-", "ü"])("says what is wrong with the address %j", (slug) => {
  expect(slugProblem(slug)).toBeTypeOf("string");
});
