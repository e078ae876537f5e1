import { boundedMemory } from "../../src/documents/pdf/bounded-memory.ts";
import { doWork as work, type PageReader } from "../../src/documents/do-work.ts";
import { readPages } from "../../src/documents/read-pages.ts";
import { openScansIn } from "./scans-in-node.ts";
import { scanFolder } from "../scan-folder.ts";

export const doWork = work;

/**
 * Reads PDFs and pictures in this thread, which is ended from outside where it takes too long; `onPage` is called before text is
 * recognized on a page.
 */
export const pageReader = (onPage: () => void): PageReader => {
  const parts = { boundMemory: () => boundedMemory(), openScans: openScansIn(scanFolder(), onPage) };
  return (kind, file) => readPages(kind, file, new AbortController().signal, parts);
};
