import { expect, it } from "vitest";
import { nearNames } from "./near-names.ts";

it("names that are near come first, of a thousand and by their first hundred characters", () => {
  expect(nearNames("amount", ["city", "amuont", "amounts"], 2)).toEqual(["amounts", "amuont"]);
  const many = Array.from({ length: 1_000 }, (_, index) => `column ${index}`);
  expect(nearNames("amount", [...many, "amount"], 40)).not.toContain("amount");
  const long = ["b", "a"].map((end) => `${"x".repeat(100)}${end.repeat(1_000_000)}`);
  expect(nearNames(`${"x".repeat(100)}a`, long, 2)).toEqual(long);
});
