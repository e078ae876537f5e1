import { expect, test } from "vitest";
import { refusalText } from "./refusal-text.ts";

test.each([
  ['{"error":{"message":"Incorrect API key."}}', "Incorrect API key."],
  ['{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}', "invalid x-api-key"],
  ['[{"error":{"code":400,"message":"API key\\n not valid."}}]', "API key not valid."],
  ['{"error":"model server is busy"}', "model server is busy"],
  ['{"detail":"Not authenticated"}', "Not authenticated"],
  ["<html>Not JSON</html>", ""],
  ['{"data":[]}', ""],
  ["null", ""],
])("what %s says", (body, words) => {
  expect(refusalText(body)).toBe(words);
});

test("a long refusal is cut", () => {
  expect(refusalText(JSON.stringify({ message: "x".repeat(5_000) }))).toHaveLength(301);
});
