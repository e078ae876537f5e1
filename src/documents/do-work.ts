import type { DocumentAnswer, DocumentWork } from "../engine/file/documents.ts";
import type { DocumentSection } from "../engine/knowledge/source-document.ts";
import { unzip, zip } from "./archive.ts";
import { failureOf, kindOf } from "./file-kind.ts";
import { makeFile } from "./make/make-file.ts";
import { readDocument } from "./read/read-document.ts";

/** Reads a PDF where the thread itself may do it. */
export type PdfReader = (bytes: Uint8Array) => Promise<DocumentSection[]>;

/** Does what is asked of files, in the thread that it is called in. Never rejects. */
export async function doWork(work: DocumentWork, readPdf?: PdfReader): Promise<DocumentAnswer> {
  try {
    return await answerTo(work, readPdf);
  } catch (error) {
    return failureOf(error);
  }
}

async function answerTo(work: DocumentWork, readPdf: PdfReader | undefined): Promise<DocumentAnswer> {
  switch (work.do) {
    case "read": {
      const { file, kind = kindOf(file) } = work;
      if (kind !== "pdf") return { ok: true, ...(await readDocument(kind, file)) };
      if (!readPdf) throw new Error("PDFs are read in a thread of their own");
      return { ok: true, document: { kind, sections: await readPdf(file.bytes), tables: [] }, files: [] };
    }
    case "make": {
      const { file, notes } = await makeFile(work.format, work.name, work.content);
      return { ok: true, files: [file], ...(notes.length > 0 ? { notes } : {}) };
    }
    case "zip":
      return { ok: true, files: [zip(work.name, work.files)] };
    case "unzip":
      return { ok: true, files: unzip(work.file) };
    default:
      return work satisfies never;
  }
}
