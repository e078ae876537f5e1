import { fileName } from "../../../../src/engine/file/file-name.ts";
import type { FileValue } from "../../../../src/engine/file/file.ts";
import { isJsonObject, type Json } from "../../../../src/engine/json.ts";
import { bytesOfBase64, readDataUrl } from "../../../../src/engine/model/data-url.ts";
import type { SentFile } from "./door-files.ts";
import { withEnding } from "./named-by-headers.ts";

/** An input whose files are stored apart. */
export interface InputWithFiles {
  files: readonly SentFile[];
  /** Files that were stored as they came; where there are some, they stand for all of the input's. */
  stored?: readonly FileValue[];
  /** The input with what stands for each of the files, in their order. */
  with(files: readonly Json[]): Json;
}

/**
 * An input without the bytes that are attached to it: `data:` URLs in its `images` and in the `url` of its `files`. They become
 * files, all of them in `files`. What is anything else, such as an https address, stays where it is.
 */
export function withoutBytes(input: Json): InputWithFiles {
  if (!isJsonObject(input)) return { files: [], with: () => input };
  const sent: SentFile[] = [];
  const take = (url: Json | undefined, name: string | undefined): boolean => {
    const file = typeof url === "string" ? fileOf(url, name, sent.length + 1) : undefined;
    return file !== undefined && sent.push(file) > 0;
  };
  const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
  const images = listOf(input.images).filter((url) => !take(url, undefined));
  const files = listOf(input.files).filter((file) => {
    const { url, name } = isJsonObject(file) ? file : {};
    return !take(url, typeof name === "string" ? name : undefined);
  });
  if (sent.length === 0) return { files: [], with: () => input };
  const { images: _, ...rest } = input;
  const kept = images.length > 0 ? { ...rest, images } : rest;
  return { files: sent, with: (stored) => ({ ...kept, files: [...stored, ...files] }) };
}

function fileOf(url: string, name: string | undefined, number: number): SentFile | undefined {
  const { type, data } = readDataUrl(url) ?? { type: "", data: "" };
  const bytes = /^[a-z]+\/[a-z0-9.+-]+$/.test(type) ? bytesOfBase64(data) : undefined;
  if (bytes === undefined) return undefined;
  return { name: withEnding(fileName(name ?? `file-${number}`), type), mediaType: type, bytes };
}
