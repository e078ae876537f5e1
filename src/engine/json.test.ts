import { expect, it } from "vitest";
import { jsonOrText, parseJson } from "./json.ts";

it("tells what is no JSON from every value, also from null", () => {
  expect([parseJson("null"), parseJson('{"a":[1]}'), parseJson("{'a'"), parseJson("")]).toEqual([
    null,
    { a: [1] },
    undefined,
    undefined,
  ]);
  expect([jsonOrText("null"), jsonOrText("[1]"), jsonOrText("1,5")]).toEqual([null, [1], "1,5"]);
});
