import { isJsonObject, type Json } from "../../json.ts";
import type { FileKind } from "../../model/chat-model.ts";
import { type DataUrl, readDataUrl } from "../../model/data-url.ts";
import type { FilePart } from "../../model/message.ts";

/** Types of files that vendors read, with their kind (PDF and audio guides of Anthropic, Google and OpenAI). */
export const fileTypes: Readonly<Record<string, FileKind>> = {
  "application/pdf": "pdf",
  "audio/wav": "audio",
  "audio/mpeg": "audio",
};

/** The most files of one message that are sent on. */
export const maxFiles = 4;
/** The most characters of one file's URL: 10 MB as base64. */
export const maxFileChars = 14_000_000;

const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The type and the base64 data, unchecked, of a file's URL; undefined for one that no vendor reads. */
export function fileData(url: string): (DataUrl & { kind: FileKind }) | undefined {
  const file = readDataUrl(url);
  const kind = file && Object.hasOwn(fileTypes, file.type) ? fileTypes[file.type] : undefined;
  return file && kind && { ...file, kind };
}

/** The files of an agent's input as they were sent, by the types they claim: quick, whatever their size. */
export function namedFiles(input: Json | undefined): FilePart[] {
  if (!isJsonObject(input) || !Array.isArray(input.files)) return [];
  return input.files.slice(0, maxFiles).flatMap((file): FilePart[] => {
    if (!isJsonObject(file) || typeof file.url !== "string" || file.url.length > maxFileChars) return [];
    if (fileData(file.url) === undefined) return [];
    return [
      { type: "file", url: file.url, ...(typeof file.name === "string" ? { name: file.name.slice(0, 200) } : {}) },
    ];
  });
}

/**
 * The files that come with an agent's input: `files`, a list of `{ "url", "name" }` with `data:` URLs of PDF, WAV or MP3.
 * Anything else in it is left out, and so is what exceeds `maxFiles`.
 */
export function attachedFiles(input: Json | undefined): FilePart[] {
  return namedFiles(input).filter(({ url }) => base64.test(fileData(url)?.data ?? ""));
}
