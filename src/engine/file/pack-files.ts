import type { FileValue } from "./file.ts";
import { base64Of } from "../model/data-url.ts";
import type { SentFile } from "./sent-file.ts";

/** Bytes of files that one export holds: it is a text, which is read at once. */
const maxExportBytes = 40 * 1024 * 1024;

/** Reads a file of the account; undefined where it is gone. */
export type ReadFile = (id: string) => Promise<Uint8Array | undefined>;

/** Puts files into one export. */
export interface FilePacker {
  /** Names of files that are gone or for which there was no room. */
  left: ReadonlySet<string>;
  /** Each file once, with its bytes. */
  pack(files: readonly FileValue[]): Promise<SentFile[]>;
}

/** Files for an export that holds at most `maxBytes` of them in all. */
export function createFilePacker(read: ReadFile, maxBytes = maxExportBytes): FilePacker {
  const left = new Set<string>();
  let room = maxBytes;
  return {
    left,
    async pack(files) {
      const sent: SentFile[] = [];
      for (const { size, ...file } of new Map(files.map((one) => [one.$file, one])).values()) {
        const bytes = size <= room ? await read(file.$file) : undefined;
        if (bytes) sent.push({ ...file, base64: base64Of(bytes) });
        else left.add(file.name);
        if (bytes) room -= size;
      }
      return sent;
    },
  };
}
