import { DocumentError } from "../document-error.ts";
import { betweenSignsMs, readSign } from "./pdf-signs.ts";

/** Milliseconds in which the worker does one thing. It makes up to half a gigabyte a second of some files meanwhile. */
const usualSilenceMs = 4_000;

interface Watch {
  /** Rejects with a DocumentError once the worker cannot be let go on; never resolves. */
  failed: Promise<never>;
  end(): void;
}

/**
 * Watches a worker that reads a PDF. No browser limits the memory of a worker, and one that has none left takes the whole page
 * with it: what is silent for long or unpacks a part to too much is given up before that.
 */
export function watchPdfWorker(worker: Worker, maxSilenceMs = usualSilenceMs): Watch {
  let reject: (error: DocumentError) => void = () => undefined;
  const failed = new Promise<never>((_resolve, fail) => (reject = fail));
  failed.catch(() => undefined);
  const ended = new AbortController();
  let heardAt: number | undefined;
  let wasSilent = false;
  const listen = { signal: ended.signal };
  worker.addEventListener("error", () => reject(notStarted()), listen);
  worker.addEventListener(
    "message",
    ({ data }) => {
      const sign = readSign(data);
      if (sign === "too-large") reject(unpacksToTooMuch());
      if (sign !== null) heardAt = performance.now();
    },
    listen,
  );
  const timer = setInterval(() => {
    const isSilent = heardAt !== undefined && performance.now() - heardAt > maxSilenceMs;
    // A page that was asleep looks at the clock before it hears what was said meanwhile.
    if (isSilent && wasSilent) reject(tooHard(maxSilenceMs));
    wasSilent = isSilent;
  }, betweenSignsMs);
  return {
    failed,
    end() {
      clearInterval(timer);
      ended.abort();
    },
  };
}

const simpler = "Save it again in a viewer, which often makes it simpler, or add its text by pasting it.";

/** The PDF holds more than memory does. */
export function unpacksToTooMuch(): DocumentError {
  return new DocumentError("The PDF unpacks to more than 1 GB, so it was not read.", simpler);
}

function tooHard(silenceMs: number): DocumentError {
  const message = `A part of the PDF took longer than ${silenceMs / 1_000} s to read, so reading was stopped.`;
  return new DocumentError(message, simpler);
}

function notStarted(): DocumentError {
  const hint = "Check your connection, reload the page and add the file again.";
  return new DocumentError("The PDF reader could not be started.", hint);
}
