/**
 * What the thread that reads PDFs says of itself: that it goes on, whenever it is free, or that a part of the file unpacks to
 * too much. pdf.js looks at none but its own messages.
 */
interface PdfSign {
  pdfReader: "alive" | "too-large";
}

/** Milliseconds from one sign of life to the next. */
export const betweenSignsMs = 200;

export function sendSign(pdfReader: PdfSign["pdfReader"]): void {
  postMessage({ pdfReader } satisfies PdfSign);
}

/** Null for a message of pdf.js. */
export function readSign(message: unknown): PdfSign["pdfReader"] | null {
  if (typeof message !== "object" || message === null || !("pdfReader" in message)) return null;
  return message.pdfReader === "too-large" ? "too-large" : "alive";
}
