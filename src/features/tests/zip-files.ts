import { strToU8, zipSync } from "fflate";

/** Files by their paths as one ZIP archive. */
export function zipFiles(files: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  const zipped = zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])));
  return new Uint8Array(zipped);
}
