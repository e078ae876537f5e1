import { describe, expect, it } from "vitest";
import { locatePassage, withoutHeadings } from "./locate-passage.ts";

/** The parts of the texts that were found. */
function found(texts: readonly string[], passage: string, near?: number): string[] {
  return locatePassage(texts, passage, near).map(({ text, from, to }) => texts[text]?.slice(from, to) ?? "");
}

describe("a passage in the texts of a page", () => {
  it.each<[string, string[], string, string[]]>([
    [
      "white space differs",
      ["A lamp  can be", "returned\u00a0soon."],
      "lamp can\nbe returned",
      ["lamp  can be", "returned"],
    ],
    [
      "a line break cut a word",
      ["It has a guaran-", "tee of five years."],
      "a guarantee of five",
      ["a guaran", "tee of five"],
    ],
    ["a soft hyphen is inside", ["a guaran\u00adtee of"], "guarantee", ["guaran\u00adtee"]],
    ["letters are joined in ligatures", ["the o\uFB03ce \uFB01les"], "office files", ["o\uFB03ce \uFB01les"]],
    ["accents are apart from their letters", ["Die Prüfung"], "Die Pru\u0308fung", ["Die Prüfung"]],
    ["a letter has two small forms", ["ΟΔΟΣ ΑΒ"], "οδος", ["ΟΔΟΣ"]],
    ["upper case differs", ["THE END of it"], "The end", ["THE END"]],
    ["letters take two units", ["x \u{1D400}\u{1F600} y"], "\u{1F600}", ["\u{1F600}"]],
    ["there are no spaces between words", ["退货须在三十天", "内完成。"], "三十天内完成", ["三十天", "内完成"]],
    ["it goes over three pages", ["one two", "three", "four five"], "two three four", ["two", "three", "four"]],
  ])("is found where %s", (_name, texts, passage, expected) => {
    expect(found(texts, passage)).toEqual(expected);
  });

  it("is found in parts where a running header stands between two pages", () => {
    const texts = ["Lamps can be returned within a month.", "ANNUAL REPORT", "The refund takes five days.", "Page 2"];
    expect(found(texts, "Lamps can be returned within a month.\n\nThe refund takes five days.")).toEqual([
      "Lamps can be returned within a month.",
      "The refund takes five days.",
    ]);
  });

  it("is found where most of it is still there", () => {
    const texts = ["The gate opens at eight. It closes at nine in the evening."];
    expect(found(texts, "The gate opens at ten.\nIt closes at nine in the evening.")).toEqual([
      "It closes at nine in the evening.",
    ]);
  });

  it("is the occurrence that comes next, and an earlier one where there is no other", () => {
    const texts = ["Total: 5", "Total: 5", "End"];
    expect(locatePassage(texts, "Total: 5", 1).map(({ text }) => text)).toEqual([1]);
    expect(locatePassage(texts, "Total: 5", 2).map(({ text }) => text)).toEqual([0]);
  });

  it.each<[string, string[], string]>([
    ["nothing of it is there", ["Something else entirely."], "Lamps can be returned."],
    ["only a small part is there", ["It is."], "It is.\nAnd this long sentence is nowhere to be found."],
    ["it has no letters", ["text"], " \n- "],
    ["there are no texts", [], "text"],
  ])("is not found where %s", (_name, texts, passage) => {
    expect(found(texts, passage)).toEqual([]);
  });

  it("is found at the end of a million characters", () => {
    const texts = ["An endless text. ".repeat(60_000), "The needle is here."];
    expect(found(texts, "needle is")).toEqual(["needle is"]);
  });
});

it("a passage is looked for without the headings between its paragraphs", () => {
  const sections = [{ headings: ["Shop", "Returns"] }, { headings: ["Shop", "Hours"] }];
  expect(withoutHeadings("Within a month.\n\nHours\n\nAt eight.", sections)).toBe("Within a month.\n\nAt eight.");
  expect(withoutHeadings("Hours", sections)).toBe("Hours");
});
