import type { Readable } from "node:stream";
import { Busboy } from "@fastify/busboy";
import { fileName, mediaTypeOf } from "../../../src/engine/file/file-name.ts";
import { wellFormed } from "../../../src/engine/well-formed.ts";
import type { DoorProblem } from "../_shared/door-problem.ts";
import type { ArrivingFile } from "../_shared/files/door-files.ts";
import { maxFields, tooManyFields, unreadableForm } from "./read-parts.ts";

/** A multipart form whose files have gone where they are kept. */
export interface ReceivedForm<Kept> {
  /** In their order: a text, or the place of a file in `files`. */
  fields: readonly (readonly [string, string | number])[];
  files: readonly Kept[];
}

export interface FormTerms<Kept> {
  contentType: string;
  /** Bytes of everything but the content of files. */
  maxTextBytes: number;
  /** What is thrown for more. */
  tooLarge: DoorProblem;
  /** Takes the bytes of a file as they come, one file after the other. What it rejects with ends the form. */
  keep(file: ArrivingFile): Promise<Kept>;
}

/** What of a file the parser holds back, since it may be the next divider. */
const dividerBytes = 1024;

/**
 * Reads a multipart form as it comes, without holding its files. Throws DoorProblem where it cannot be read or has too many fields, and
 * what `keep` rejects with; then the rest is read and dropped, so that the sender reads why.
 */
export async function receiveForm<Kept>(
  body: AsyncIterable<Uint8Array>,
  { contentType, maxTextBytes, tooLarge, keep }: FormTerms<Kept>,
): Promise<ReceivedForm<Kept>> {
  const fields: (readonly [string, string | number])[] = [];
  const files: Kept[] = [];
  const streams: (Readable & { bytesRead: number })[] = [];
  let end = () => {};
  const over = new Promise<void>((resolve) => (end = resolve));
  let received = 0;
  let keeping: Promise<void> = Promise.resolve();
  const state: { failed?: { error: unknown } } = {};
  const fail = (error: unknown) => {
    if (state.failed !== undefined) return;
    state.failed = { error };
    for (const stream of streams) stream.destroy(new Error("The form was not read to its end."));
    end();
  };
  const ofTexts = () => received - streams.reduce((sum, { bytesRead }) => sum + bytesRead, 0);

  const parser = parserFor(contentType, maxTextBytes);
  parser.on("field", (name, value, _isNameCut, isCut) => {
    if (isCut) fail(tooLarge);
    fields.push([wellFormed(nameIn(name)), wellFormed(value)]);
  });
  parser.on("file", (name, stream, sentName, _encoding, mediaType) => {
    // It breaks off with the form, perhaps before its turn.
    stream.on("error", () => fail(unreadableForm()));
    const place = streams.push(stream) - 1;
    fields.push([wellFormed(nameIn(name)), place]);
    const file = { name: fileName(nameIn(sentName)), mediaType: mediaTypeOf(mediaType), bytes: stream };
    keeping = keeping.then(async () => void (state.failed === undefined && files.push(await keep(file)))).catch(fail);
  });
  parser.on("partsLimit", () => fail(tooManyFields()));
  parser.once("finish", end);
  parser.on("error", () => fail(unreadableForm()));

  try {
    for await (const piece of body) {
      if (state.failed !== undefined) continue;
      received += piece.byteLength;
      await Promise.race([over, new Promise<void>((resolve) => parser.write(piece, () => resolve()))]);
      if (ofTexts() > maxTextBytes + dividerBytes) fail(tooLarge);
    }
  } catch (error) {
    fail(error);
  }
  if (state.failed === undefined) parser.end();
  await over;
  await keeping;
  if (ofTexts() > maxTextBytes) fail(tooLarge);
  if (state.failed !== undefined) throw state.failed.error;
  return { fields, files };
}

function parserFor(contentType: string, maxTextBytes: number) {
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      limits: { parts: maxFields, fieldSize: maxTextBytes },
      isPartAFile: (_name, _type, sentName) => sentName !== undefined,
    });
  } catch {
    throw unreadableForm();
  }
}

/** Browsers write three signs of a name in another way, since they would end it (HTML, "Multipart form data"). */
function nameIn(sent: string | undefined): string {
  return (sent ?? "").replaceAll("%0A", "\n").replaceAll("%0D", "\r").replaceAll("%22", '"');
}
