import { expect, it } from "vitest";
import { weightOf } from "./weight-of.ts";

it("is near the length of the JSON, and stops counting at enough", () => {
  const value = { text: "x".repeat(1_000), list: [1, true, null, { deep: ["y".repeat(500)] }] };
  const length = JSON.stringify(value).length;
  expect(Math.abs(weightOf(value, 1_000_000) - length)).toBeLessThan(40);
  const long = Array.from({ length: 1_000 }, () => "z".repeat(1_000));
  expect(weightOf(long, 5_000)).toBeLessThan(10_000);
  expect(weightOf(undefined, 10)).toBeGreaterThan(0);
});
