import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

/** The encodings that `decodeBody` undoes, as the `accept-encoding` header names them. */
export const acceptedEncodings = "gzip, deflate, br";

const maxEncodings = 2;

/**
 * Undoes a body's content encoding piece by piece: a reader that stops early never has more than one piece of a
 * compressed bomb in memory. `null` when the encoding is unknown or nested deeper than twice.
 */
export function decodeBody(body: Readable, contentEncoding: string | undefined): Readable | null {
  const names = (contentEncoding ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "" && name !== "identity");
  if (names.length > maxEncodings) return null;
  let decoded = body;
  for (const name of names.toReversed()) {
    const decoder = createDecoder(name);
    if (decoder === null) return null;
    // An error of either end destroys both; the reader of the last stream sees it.
    pipeline(decoded, decoder, () => undefined);
    decoded = decoder;
  }
  return decoded;
}

function createDecoder(name: string): Transform | null {
  switch (name) {
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      return createInflate();
    case "br":
      return createBrotliDecompress();
    default:
      return null;
  }
}
