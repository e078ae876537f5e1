import { expect, test } from "vitest";
import { errorText } from "./errors.ts";

test("a failure and its hint are two sentences, however the message ends", () => {
  const lines = ["The code failed: Error: The till is closed", "It is gone.", "Is it gone?", "It says “gone.”"];
  expect(lines.map((message) => errorText({ message, hint: "Try again." }))).toEqual([
    "The code failed: Error: The till is closed. Try again.",
    "It is gone. Try again.",
    "Is it gone? Try again.",
    "It says “gone.” Try again.",
  ]);
  expect(errorText({ message: "It is gone", hint: "" })).toBe("It is gone");
});
