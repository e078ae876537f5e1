import { z } from "zod/mini";
import { type FileValue, goneFileHint } from "../../../src/engine/file/file.ts";
import type { OpenedFile } from "../_shared/files/file-storage.ts";
import { failure, type Outcome, success } from "../_shared/failure.ts";
import type { StreamedBody } from "../_shared/pinned-connection.ts";

/** A field of a form with several parts: a text, or the id of a file. */
export const partSchema = z.union([
  z.strictObject({ name: z.string().check(z.maxLength(1_000)), value: z.string() }),
  z.strictObject({ name: z.string().check(z.maxLength(1_000)), file: z.uuid() }),
]);

type Part = z.infer<typeof partSchema>;

/** The files of the caller. */
export interface OwnFiles {
  describe(id: string): Promise<FileValue | null>;
  open(id: string, signal: AbortSignal): Promise<OpenedFile | null>;
}

/** A body and what its type is. */
interface Sent {
  body: StreamedBody;
  type: string;
}

/** The bytes of a file as a body. */
export async function fileBody(id: string, files: OwnFiles): Promise<Outcome<Sent>> {
  const file = await files.describe(id);
  if (file === null) return gone();
  return success({ type: file.mediaType, body: { size: file.size, open: (signal) => bytesOf(id, files, signal) } });
}

/** A form with texts and files (RFC 7578); names are written as browsers do (HTML Standard, multipart/form-data encoding). */
export async function multipartBody(parts: readonly Part[], files: OwnFiles): Promise<Outcome<Sent>> {
  const boundary = `switchyard-${crypto.randomUUID()}`;
  const encoder = new TextEncoder();
  const pieces: (Uint8Array | { id: string; size: number })[] = [];
  for (const part of parts) {
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(part.name)}"`;
    if ("value" in part) pieces.push(encoder.encode(`${head}\r\n\r\n${part.value}\r\n`));
    else {
      const file = await files.describe(part.file);
      if (file === null) return gone();
      const named = `; filename="${quoted(file.name)}"\r\ncontent-type: ${file.mediaType}\r\n\r\n`;
      pieces.push(encoder.encode(head + named), { id: part.file, size: file.size }, encoder.encode("\r\n"));
    }
  }
  pieces.push(encoder.encode(`--${boundary}--\r\n`));
  const size = pieces.reduce((sum, piece) => sum + (piece instanceof Uint8Array ? piece.byteLength : piece.size), 0);
  async function* read(signal: AbortSignal) {
    for (const piece of pieces) {
      if (piece instanceof Uint8Array) yield piece;
      else yield* await bytesOf(piece.id, files, signal);
    }
  }
  return success({
    type: `multipart/form-data; boundary=${boundary}`,
    body: { size, open: async (signal) => read(signal) },
  });
}

async function bytesOf(id: string, files: OwnFiles, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  const opened = await files.open(id, signal);
  if (opened === null) throw new Error("The file was deleted while it was about to be sent.");
  return opened.bytes;
}

function quoted(name: string): string {
  return name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}

function gone(): Outcome<never> {
  return failure("invalid_config", "A file that is to be sent is no longer there.", goneFileHint);
}
