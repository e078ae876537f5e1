import { expect, it } from "vitest";
import { locateInPages } from "./locate-in-pages.ts";

/** A PDF of pages that are lists of texts, and which of its pages were read. */
function pdfOf(pages: readonly string[][]) {
  const read: number[] = [];
  const texts = async (page: number) => {
    read.push(page);
    return (pages[page - 1] ?? []).map((str) => ({ str }));
  };
  return { pages: pages.length, texts, read };
}

const pages = [
  ["Lamps of oak."],
  ["Lamps of oak.", "Returned with-"],
  ["in thirty days.", "The end of all that is said here about lamps."],
  ["More."],
];

it("finds a passage that goes over two pages, from its page on, and reads no others", async () => {
  const pdf = pdfOf(pages);
  expect(await locateInPages(pdf, "Lamps of oak.\nReturned within thirty days.", 2)).toEqual([
    { page: 2, text: 0, from: 0, to: 13 },
    { page: 2, text: 1, from: 0, to: 13 },
    { page: 3, text: 0, from: 0, to: 15 },
  ]);
  expect(pdf.read).toEqual([2, 3]);
});

it("finds nothing on pages that say something else, and on those that are not there", async () => {
  expect(await locateInPages(pdfOf(pages), "A lamp of steel and glass", 1)).toEqual([]);
  expect(await locateInPages(pdfOf(pages), "Lamps of oak.", 9)).toEqual([]);
});

it("reads a bounded number of pages", async () => {
  const pdf = pdfOf(Array.from({ length: 500 }, () => []));
  expect(await locateInPages(pdf, "Lamps of oak.", 3)).toEqual([]);
  expect(pdf.read).toHaveLength(20);
});
