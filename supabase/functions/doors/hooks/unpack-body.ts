import { Buffer } from "node:buffer";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { DoorProblem, type Problem, problems } from "../../_shared/door-problem.ts";

/** One after the other; more say nothing but that the sender wants work done. */
const maxEncodings = 2;

const unpackers = { gzip: createGunzip, "x-gzip": createGunzip, deflate: createInflate, br: createBrotliDecompress };

/**
 * A body as it was before its sender compressed it, by its content encoding. Throws DoorProblem where that is not known (415), where
 * the body is not in it (400), and for more than `maxBytes` (413), of which no more is unpacked.
 */
export async function unpackBody(
  bytes: Uint8Array<ArrayBuffer>,
  encoding: string | null,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const names = (encoding ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  if (names.length > maxEncodings) throw new DoorProblem(unknownEncoding);
  let unpacked = bytes;
  for (const name of names.toReversed()) {
    if (name === "" || name === "identity") continue;
    if (!isKnown(name)) throw new DoorProblem(unknownEncoding);
    unpacked = await unpack(unpacked, name, maxBytes);
  }
  return unpacked;
}

const isKnown = (name: string): name is keyof typeof unpackers => Object.hasOwn(unpackers, name);

async function unpack(
  bytes: Uint8Array,
  name: keyof typeof unpackers,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const stream = unpackers[name]();
  stream.end(bytes);
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of stream) {
      size += piece.byteLength;
      if (size > maxBytes) throw new DoorProblem(tooLarge(maxBytes));
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof DoorProblem) throw error;
    throw new DoorProblem(problems.badRequest(`The body is not compressed with ${name}, although its header says so.`));
  } finally {
    stream.destroy();
  }
  return Uint8Array.from(Buffer.concat(pieces));
}

const unknownEncoding: Problem = {
  status: 415,
  code: "bad_request",
  title: "Unknown content encoding",
  detail: "Send the body uncompressed, or with the content encoding gzip, deflate or br.",
};

const tooLarge = (maxBytes: number): Problem => ({
  status: 413,
  code: "too_large",
  title: "Too large",
  detail: `The request holds more than ${maxBytes} bytes when it is unpacked.`,
});
