import type { FileValue } from "../../../src/engine/file/file.ts";
import { isTextType } from "../../../src/engine/text/text-type.ts";
import type { Outcome } from "../_shared/failure.ts";
import { decoded, nameByHeaders } from "../_shared/files/named-by-headers.ts";

/** Stores what arrives as a file of the caller. */
export type KeepFile = (file: {
  name: string;
  mediaType: string;
  bytes: AsyncIterable<Uint8Array>;
}) => Promise<Outcome<FileValue>>;

/** Whether an answer's type says that it is no text; one without a type has to be looked at. */
export function isFileType(contentType: string | undefined): boolean {
  return contentType !== undefined && contentType.trim() !== "" && !isTextType(contentType.trim());
}

/** What a file is called that a server sends: as its headers say, else as the last part of the address. */
export function nameOfAnswer(url: string, headers: Readonly<Record<string, string>>): string {
  return nameByHeaders(headers, decoded(new URL(url).pathname.split("/").at(-1) ?? ""));
}
