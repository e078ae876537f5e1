import { expect, it } from "vitest";
import { scanLines, scanText } from "./scan-lines.ts";

/** A word of Tesseract's table: paragraph, line, height, confidence, text. */
const word = (paragraph: number, line: number, height: number, confidence: number, text: string) =>
  ["5", "1", "1", String(paragraph), String(line), "1", "0", "0", "10", String(height), String(confidence), text].join(
    "\t",
  );

it("joins words to lines, and lines to paragraphs", () => {
  const lines = scanLines(
    [
      "4\t1\t1\t1\t1\t0\t0\t0\t90\t40\t-1\t",
      word(1, 1, 24, 96, "The"),
      word(1, 1, 30, 95, "report"),
      word(1, 2, 24, 94, "ends."),
      word(2, 1, 24, 93, "Next."),
      "",
    ].join("\n"),
  );
  expect(lines).toEqual([
    { text: "The report", height: 30, endsParagraph: false },
    { text: "ends.", height: 24, endsParagraph: true },
    { text: "Next.", height: 24, endsParagraph: true },
  ]);
  expect(scanText(lines)).toBe("The report\nends.\n\nNext.");
});

it("puts no spaces between Chinese characters, but around words of other scripts", () => {
  const [line] = scanLines(["预", "算", "，", "2024", "年"].map((text) => word(1, 1, 30, 90, text)).join("\n"));
  expect(line?.text).toBe("预算， 2024 年");
});

it("leaves out lines that are hardly text, and words of nothing", () => {
  const table = [word(1, 1, 9, 12, "~|."), word(1, 2, 30, 90, "Words"), word(1, 2, 30, 90, " ")].join("\n");
  expect(scanLines(table).map(({ text }) => text)).toEqual(["Words"]);
  expect(scanText([])).toBe("");
});
