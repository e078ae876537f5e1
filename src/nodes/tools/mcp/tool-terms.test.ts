import { describe, expect, it } from "vitest";
import { readContentNames, toolTermsSchema } from "./tool-terms.ts";

describe("arguments that say something only", () => {
  it("are read between commas", () => {
    expect(readContentNames(" subject,, body ,")).toEqual({ ok: true, names: ["subject", "body"] });
    expect(readContentNames("")).toEqual({ ok: true, names: [] });
  });

  it.each([
    ["too many", Array.from({ length: 51 }, (_, place) => `a${place}`).join(","), "At most 50 arguments."],
    ["too long", "a".repeat(201), "A name has at most 200 characters. Put commas between names."],
  ])("are refused in words where they are %s", (_name, text, problem) => {
    expect(readContentNames(text)).toEqual({ ok: false, problem });
    expect(toolTermsSchema.safeParse({ pin: "", content: text.split(",") }).success).toBe(false);
  });
});
