import type { FileValue } from "../../../../src/engine/file/file.ts";
import { readRange } from "./byte-range.ts";
import { fileHeaders } from "./file-response.ts";
import type { FileHolder, FileStorage } from "./file-storage.ts";

/** The tag of a file's bytes, which never change. */
const tagOf = ({ sha256 }: FileValue): string => `"${sha256}"`;

/**
 * Answers a request for a file: 200 with its bytes, 206 with the part that `Range` asks for, 416 where there is no such part. `If-Range`
 * counts if it names these bytes. Null where there is no such file.
 */
export async function serveFile(
  request: Request,
  storage: Pick<FileStorage, "describe" | "open">,
  whose: FileHolder,
  id: string,
): Promise<Response | null> {
  const header = request.headers.get("range");
  const file = header === null ? null : await storage.describe(whose, id);
  if (header !== null && file === null) return null;
  const condition = request.headers.get("if-range");
  const counts = file !== null && (condition === null || condition === tagOf(file));
  const range = header !== null && counts ? readRange(header, file.size) : undefined;
  if (range === "unsatisfiable") {
    const headers = { "accept-ranges": "bytes", "content-range": `bytes */${file?.size ?? 0}` };
    return new Response(null, { status: 416, headers: { ...headers, "cache-control": "private, no-store" } });
  }
  const opened = await storage.open(whose, id, request.signal, range);
  if (opened === null) return null;
  const headers = { ...fileHeaders(opened.file), "accept-ranges": "bytes", etag: tagOf(opened.file) };
  if (opened.part === undefined) return new Response(opened.bytes, { headers });
  const { first, last } = opened.part;
  return new Response(opened.bytes, {
    status: 206,
    headers: {
      ...headers,
      "content-length": String(last - first + 1),
      "content-range": `bytes ${first}-${last}/${opened.file.size}`,
    },
  });
}
