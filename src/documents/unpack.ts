import { type UnzipFileFilter, unzipSync, zipSync } from "fflate";
import { DocumentError } from "./document-error.ts";
import { maxEntries, maxUnpacked } from "./limits.ts";

export interface UnpackLimits {
  /** Bytes of all files together. */
  bytes?: number;
  entries?: number;
}

/**
 * The files of a ZIP archive by their paths, without folders. Nothing is written anywhere, and archives inside stay packed. Throws
 * a DocumentError for what is damaged, has a password or unpacks to more than the limits, before anything is unpacked.
 */
export function unpack(
  bytes: Uint8Array,
  { bytes: maxBytes = maxUnpacked, entries: most = maxEntries }: UnpackLimits = {},
): Map<string, Uint8Array> {
  if (hasPassword(bytes)) throw protectedByPassword();
  let packed = 0;
  let unpacked = 0;
  let entries = 0;
  const check: UnzipFileFilter = ({ name, size, originalSize, compression }) => {
    entries += 1;
    packed += size;
    // What is stored is copied as it is, whatever the archive says of its length.
    unpacked += compression === 0 ? size : Math.max(size, originalSize);
    if (entries > most) throw tooMany(most);
    if (unpacked > maxBytes) throw tooLarge(maxBytes);
    // Entries that share their bytes unpack to far more than the archive weighs.
    if (packed > bytes.length) throw overlapping();
    if (compression !== 0 && compression !== 8) throw unknownCompression(name);
    return false;
  };
  const files = attempt(() => {
    unzipSync(bytes, { filter: check });
    return unzipSync(bytes, { filter: ({ name }) => !name.endsWith("/") });
  });
  return new Map(Object.entries(files));
}

/** The same files in an archive that unpacks to what it weighs: what reads it next meets no surprise. */
export function repack(files: ReadonlyMap<string, Uint8Array>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(zipSync(Object.fromEntries(files), { level: 0 }));
}

function attempt<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DocumentError(`The archive cannot be unpacked: ${reason}.`, "It may be damaged. Pack or save it again.");
  }
}

/** The flag of the first file; an archive is protected as a whole by all programs that do it. */
function hasPassword(bytes: Uint8Array): boolean {
  return bytes.length > 8 && bytes[0] === 0x50 && bytes[2] === 3 && ((bytes[6] ?? 0) & 1) === 1;
}

function tooMany(most: number): DocumentError {
  return new DocumentError(
    `The archive holds more than ${most.toLocaleString("en")} files.`,
    "Pack fewer files at a time.",
  );
}

function tooLarge(most: number): DocumentError {
  const message = `The file unpacks to more than ${Math.round(most / 1024 / 1024)} MB, so it was not unpacked.`;
  return new DocumentError(message, "Split it into several files.");
}

function overlapping(): DocumentError {
  const message = "The archive cannot be unpacked: its files have more bytes than the archive itself.";
  return new DocumentError(message, "It may be damaged. Pack or save it again.");
}

function unknownCompression(name: string): DocumentError {
  const hint = "Pack it again as a common ZIP archive.";
  return new DocumentError(`"${name}" in the archive is packed in a way that cannot be read.`, hint);
}

function protectedByPassword(): DocumentError {
  return new DocumentError("The file is protected by a password.", "Save it without the password first.");
}
