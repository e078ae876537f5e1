import { boundedMemory } from "../../src/documents/pdf/bounded-memory.ts";
import { type PdfReader, doWork as work } from "../../src/documents/do-work.ts";
import { readPdf } from "../../src/documents/pdf/read-pdf.ts";

export const doWork = work;

/** Reads a PDF in this thread, which is ended from outside where it takes too long. */
export const readPdfHere: PdfReader = async (bytes) => {
  const memory = boundedMemory();
  try {
    return await readPdf(bytes, new AbortController().signal, { isMemoryOver: memory.isOver });
  } finally {
    memory.end();
  }
};
