import { expect, test } from "vitest";
import { shrinkImage } from "./shrink-image.ts";
import { cannotAttach } from "./use-attachments.ts";

test("a file that is not attached is named, with what to do instead", () => {
  const [all, pictures] = ["Pictures, PDF, WAV and MP3 files can.", "Pictures can."];
  expect(cannotAttach({ name: "Plan.DOCX" }, all)).toBe(
    "“Plan.DOCX” is a text document, which can’t be attached. Save it as PDF and attach that.",
  );
  expect(cannotAttach({ name: "sums.xlsx" }, pictures)).toBe(
    "“sums.xlsx” is a spreadsheet, which can’t be attached. Copy its text into the message.",
  );
  expect(cannotAttach({ name: "notes.txt" }, all)).toBe(`“notes.txt” can’t be attached. ${all}`);
});

test("a picture that cannot be read is named without what turns the text around it", async () => {
  const read = await shrinkImage(new File([], "a\u202egnp.png", { type: "image/png" }));
  expect(read).toMatchObject({ ok: false, problem: expect.stringContaining("“a\ufffdgnp.png”") });
});
