import { expect, test } from "vitest";
import { shrinkImage } from "./shrink-image.ts";
import { cannotAttach } from "./use-attachments.ts";

test("a file that is not attached is named, with what to do instead", () => {
  expect(cannotAttach({ name: "sums.xlsx" })).toBe(
    "“sums.xlsx” is a spreadsheet, which can’t be attached. Copy its text into the message.",
  );
  expect(cannotAttach({ name: "notes.txt" })).toBe("“notes.txt” can’t be attached. Pictures can.");
});

test("a picture that cannot be read is named without what turns the text around it", async () => {
  const read = await shrinkImage(new File([], "a\u202egnp.png", { type: "image/png" }));
  expect(read).toMatchObject({ ok: false, problem: expect.stringContaining("“a\ufffdgnp.png”") });
});
