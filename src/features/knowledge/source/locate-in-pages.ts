import { letterCount, locatePassage } from "./locate-passage.ts";

/** A part of a page's texts. */
export interface PageRange {
  /** From 1. */
  page: number;
  /** Which of the page's texts, from 0. */
  text: number;
  from: number;
  to: number;
}

/** A passage goes over no more pages than this. */
const mostPages = 20;

/**
 * Where a passage stands that begins on the page `first` or, where that is not known, on one of the next; empty where it is not found. Only
 * as many pages are read as it may go over.
 */
export async function locateInPages(
  pdf: { pages: number; texts(page: number): Promise<readonly { str: string }[]> },
  passage: string,
  first: number,
): Promise<PageRange[]> {
  const wanted = letterCount(passage);
  const pieces: { page: number; text: number; str: string }[] = [];
  let letters = 0;
  let enough = wanted;
  for (let page = first; page <= Math.min(pdf.pages, first + mostPages - 1) && letters < enough; page += 1) {
    const texts = await pdf.texts(page);
    texts.forEach(({ str }, text) => pieces.push({ page, text, str }));
    letters += texts.reduce((sum, { str }) => sum + letterCount(str), 0);
    // It may begin at the end of the first page, and pages that are pictures say nothing.
    if (page === first) enough += letters;
  }
  return locatePassage(
    pieces.map(({ str }) => str),
    passage,
  ).flatMap(({ text: index, from, to }) => {
    const piece = pieces[index];
    return piece === undefined ? [] : [{ page: piece.page, text: piece.text, from, to }];
  });
}
