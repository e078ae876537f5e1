import type { DocumentAnswer, Documents, DocumentWork } from "../engine/file/documents.ts";
import { openWorker } from "../host/thread/open-worker.ts";
import { threadPool, type WorkLimits } from "../host/thread/thread-pool.ts";
import type { WorkThread } from "../host/thread/work-thread.ts";
import { DocumentError } from "./document-error.ts";
import { isDrawn } from "./drawn-kind.ts";
import { failureOf, kindOf } from "./file-kind.ts";
import { ReadingData } from "./pdf/reading-data.ts";
import { type PageParts, readPages } from "./read-pages.ts";
import { scansInBrowser } from "./scan/scans-in-browser.ts";

export type DocumentThread = WorkThread<DocumentWork, DocumentAnswer>;

export interface DocumentsOptions {
  start(): Promise<DocumentThread>;
  maxThreads: number;
  maxThreadsPerOwner?: number;
  /** Milliseconds for one piece of work; that of its kind when absent. */
  deadlineMs?: number;
  /** Where PDFs and pictures are read, in a browser; elsewhere the thread reads them. */
  pages?: PageParts;
}

const textDeadlineMs = 20_000;
const usualDeadlineMs = 120_000;
const texts: ReadonlySet<string> = new Set(["text", "markdown", "html", "csv", "json", "xml"]);

/** `Host.documents` by threads, each of which is ended where it takes too long or too much memory. */
export function createDocuments(options: DocumentsOptions) {
  const { pages, deadlineMs, ...pool } = options;
  const work = threadPool<DocumentWork, DocumentAnswer>({
    ...pool,
    limitsOf: (request) => limits(request, deadlineMs ?? deadlineOf(request)),
  });
  return async (request: DocumentWork, signal: AbortSignal, owner?: string): Promise<DocumentAnswer> => {
    if (request.do !== "read" || !pages) return work(request, signal, owner);
    try {
      const { file, kind = kindOf(file) } = request;
      if (!isDrawn(kind)) return await work({ do: "read", file, kind }, signal, owner);
      const sections = await readPages(kind, file, signal, pages);
      return { ok: true, document: { kind, sections, tables: [] }, files: [] };
    } catch (error) {
      signal.throwIfAborted();
      return failureOf(error);
    }
  };
}

/** The browser's threads for documents; each is loaded from the site itself when it is first needed. */
export function documentsInBrowser(): Documents {
  return createDocuments({
    start: () => openWorker(new Worker(new URL("./document-worker.ts", import.meta.url), { type: "module" })),
    maxThreads: 1,
    pages: {
      Data: ReadingData,
      startWorker: () => new Worker(new URL("./pdf/pdf-worker.ts", import.meta.url), { type: "module" }),
      openScans: scansInBrowser(),
    },
  });
}

/** The document that an answer holds. Throws a DocumentError for a failure. */
export function documentIn(answer: DocumentAnswer) {
  if (!answer.ok) throw new DocumentError(answer.message, answer.hint);
  if (answer.document) return answer.document;
  throw new Error("The answer holds no document.");
}

function deadlineOf(work: DocumentWork): number {
  return work.do === "read" && work.kind !== undefined && texts.has(work.kind) ? textDeadlineMs : usualDeadlineMs;
}

const split = "Split it into several files, or add its text as plain text by pasting it.";

function limits(work: DocumentWork, deadlineMs: number): WorkLimits<DocumentAnswer> {
  const [doing, file] = work.do === "make" || work.do === "zip" ? ["Making", "it"] : ["Reading", "Part of it"];
  const again = file === "it" ? "Make it of less." : `${file} may be damaged. ${split}`;
  return {
    deadlineMs,
    tooLong: {
      ok: false,
      message: `${doing} the file took longer than ${deadlineMs / 1_000} s and was stopped.`,
      hint: again,
    },
    failed: {
      ok: false,
      message: `${doing} the file needed more memory than there is, and was stopped.`,
      hint: file === "it" ? "Make it of less." : split,
    },
    notStarted: {
      ok: false,
      message: "The file reader could not be started.",
      hint: "Check your connection, reload the page and try again.",
    },
  };
}
