import { createRequire } from "node:module";
import { dirname } from "node:path";
import { boundedMemory } from "../../src/documents/pdf/bounded-memory.ts";
import { doWork as work, type PageReader } from "../../src/documents/do-work.ts";
import { readPages } from "../../src/documents/read-pages.ts";
import { openScansIn } from "./scans-in-node.ts";
import { scanFolder } from "../scan-folder.ts";

export const doWork = work;

const pdfFolder = `${dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"))}/`;

/**
 * Reads PDFs and pictures in this thread, which is ended from outside where it takes too long; `onPage` is called before text is
 * recognized on a page.
 */
export const pageReader = (onPage: () => void): PageReader => {
  const parts = {
    packageFolder: pdfFolder,
    boundMemory: () => boundedMemory(),
    openScans: openScansIn(scanFolder(), onPage),
  };
  return (kind, file) => readPages(kind, file, new AbortController().signal, parts);
};
