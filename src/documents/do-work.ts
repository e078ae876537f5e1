import type { DocumentAnswer, DocumentWork, NamedBytes } from "../engine/file/documents.ts";
import type { DocumentSection } from "../engine/knowledge/source-document.ts";
import { unzip, zip } from "./archive.ts";
import { type DrawnKind, isDrawn } from "./drawn-kind.ts";
import { failureOf, kindOf } from "./file-kind.ts";
import { makeFile } from "./make/make-file.ts";
import { readDocument } from "./read/read-document.ts";

/** Reads PDFs and pictures where the thread itself may do it. */
export type PageReader = (kind: DrawnKind, file: NamedBytes) => Promise<DocumentSection[]>;

/** Does what is asked of files, in the thread that it is called in. Never rejects. */
export async function doWork(work: DocumentWork, readPages?: PageReader): Promise<DocumentAnswer> {
  try {
    return await answerTo(work, readPages);
  } catch (error) {
    return failureOf(error);
  }
}

async function answerTo(work: DocumentWork, readPages: PageReader | undefined): Promise<DocumentAnswer> {
  switch (work.do) {
    case "read": {
      const { file, kind = kindOf(file) } = work;
      if (!isDrawn(kind)) return { ok: true, ...(await readDocument(kind, file)) };
      if (!readPages) throw new Error("PDFs and pictures are read in a thread of their own");
      const sections = await readPages(kind, file);
      return { ok: true, document: { kind, sections, tables: [] }, files: [] };
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
