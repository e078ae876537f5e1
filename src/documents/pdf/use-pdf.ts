import type { PDFDocumentProxy } from "pdfjs-dist";
import { DocumentError } from "../document-error.ts";
import { maxPixels } from "../limits.ts";
import type { MemoryBound } from "./bounded-memory.ts";
import { unpacksToTooMuch, watchPdfWorker } from "./watch-pdf-worker.ts";

/** What pdf.js works in, and what it may take. */
export interface PdfLimits {
  /** A worker that runs pdf.js; absent in Node, where it runs in the same thread. */
  startWorker?(): Worker;
  /** Gives pdf.js its files in a browser. */
  Data?: new () => { fetch(wanted: { kind: string; filename: string }): Promise<Uint8Array> };
  /** Where Node finds them: the folder of its package, with a slash at its end. */
  packageFolder?: string;
  /** Milliseconds for the whole file. */
  pdfDeadlineMs?: number;
  /** Milliseconds that the worker may be busy with one thing. */
  maxSilenceMs?: number;
  /** Bounds what is unpacked from now on, where pdf.js runs in the same thread. */
  boundMemory?(): MemoryBound;
}

/** An open PDF. */
export interface OpenPdf {
  pdf: PDFDocumentProxy;
  /** Throws where the time is over, the file unpacks to too much or the work was cancelled. */
  check(): void;
}

const usualDeadlineMs = 120_000;

/**
 * Uses a PDF that is opened by pdf.js in its worker, which is ended at the deadline whatever it does. pdf.js takes the bytes for
 * itself. Rejects with a DocumentError for what is no PDF or takes too much, and with that of `use`.
 */
export async function usePdf<Result>(
  bytes: Uint8Array,
  signal: AbortSignal,
  limits: PdfLimits,
  use: (open: OpenPdf) => Promise<Result>,
): Promise<Result> {
  const { getDocument, PDFWorker, VerbosityLevel } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  signal.throwIfAborted();
  const { pdfDeadlineMs = usualDeadlineMs, packageFolder, Data } = limits;
  const port = limits.startWorker?.();
  const watch = port && watchPdfWorker(port, limits.maxSilenceMs);
  const memory = limits.boundMemory?.();
  // No eval: the site's policy forbids it. Fonts are not drawn here, so none is loaded.
  const loading = getDocument({
    data: bytes,
    ...(port ? { worker: PDFWorker.create({ port }) } : {}),
    ...(packageFolder === undefined ? {} : { cMapUrl: `${packageFolder}cmaps/`, wasmUrl: `${packageFolder}wasm/` }),
    ...(Data === undefined ? {} : { BinaryDataFactory: Data, useWorkerFetch: false }),
    maxImageSize: maxPixels,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    verbosity: VerbosityLevel.ERRORS,
  });
  const until = performance.now() + pdfDeadlineMs;
  // Where pdf.js runs in the same thread no timer and no signal comes in between.
  const check = () => {
    signal.throwIfAborted();
    if (memory?.isOver()) throw unpacksToTooMuch();
    if (performance.now() > until) throw tooSlow(pdfDeadlineMs);
  };
  let stop = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    timer = setTimeout(() => reject(tooSlow(pdfDeadlineMs)), pdfDeadlineMs);
    watch?.failed.catch(reject);
  });
  signal.addEventListener("abort", stop, { once: true });
  try {
    const pdf = await Promise.race([loading.promise, ended]);
    return await Promise.race([use({ pdf, check }), ended]);
  } catch (error) {
    signal.throwIfAborted();
    if (memory?.isOver()) throw unpacksToTooMuch();
    throw error instanceof DocumentError ? error : unreadable(error);
  } finally {
    clearTimeout(timer);
    watch?.end();
    memory?.end();
    signal.removeEventListener("abort", stop);
    // Not waited for: a worker that hangs would never say that it has let go.
    loading.destroy().catch(() => undefined);
    port?.terminate();
  }
}

function tooSlow(deadlineMs: number): DocumentError {
  const hint = "Split it into several files, or save it again in a viewer, which often makes it simpler.";
  return new DocumentError(`Reading the PDF took longer than ${deadlineMs / 1_000} s and was stopped.`, hint);
}

function unreadable(error: unknown): DocumentError {
  const name = error instanceof Error ? error.name : "";
  if (name === "PasswordException") {
    return new DocumentError("The PDF is protected by a password.", "Save it without the password first.");
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new DocumentError(`The PDF cannot be read: ${reason}`, "Open it in a viewer and save it again.");
}
