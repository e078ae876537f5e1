import type { DocumentAnswer, DocumentWork, NamedBytes } from "../../engine/file/documents.ts";
import type { FileValue } from "../../engine/file/file.ts";
import type { RunFiles } from "../../engine/file/run-files.ts";
import { RunError } from "../../engine/errors.ts";
import type { Host } from "../../engine/host.ts";
import { isJsonObject, type Json } from "../../engine/json.ts";

/** Bytes of a file that is read whole. */
const largestRead = 50 * 1024 * 1024;

/** Files that are read whole at the same time. */
const maxTogether = { files: 5_000, bytes: 200 * 1024 * 1024 };

interface WorkContext {
  host: Host;
  files: RunFiles;
  signal: AbortSignal;
}

type Done = Extract<DocumentAnswer, { ok: true }>;

/** Has the host do work on files. Throws a RunError that says why it cannot be done. */
export async function documentWork({ host, signal }: WorkContext, work: DocumentWork): Promise<Done> {
  const hint = "Run the workflow in the studio.";
  if (!host.documents) throw new RunError({ code: "invalid_config", message: "Files cannot be read here.", hint });
  const answer = await host.documents(work, signal);
  if (answer.ok) return answer;
  throw new RunError({ code: "tool_error", message: answer.message, hint: answer.hint });
}

/** The file that a value is, or the first that it holds. Throws a RunError where there is none. */
export function fileIn(files: RunFiles, value: Json): FileValue {
  return filesIn(files, value)[0] ?? files.get(value);
}

/**
 * All files of a value, each once: itself, or those in its lists and members, or else those that lie deeper, as in the form of a
 * webhook's request. Throws a RunError where there is none.
 */
export function filesIn(files: RunFiles, value: Json): FileValue[] {
  const held = filesHeld(files, value);
  const found = held.length > 0 ? held : files.findAll(value);
  return found.length > 0 ? found : [files.get(value)];
}

/** All files of a value, each once; none of a value that holds none. */
export function filesHeld(files: RunFiles, value: Json): FileValue[] {
  return [...new Map(foundIn(files, value).map((file) => [file.$file, file])).values()];
}

function foundIn(files: RunFiles, value: Json): FileValue[] {
  const members = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value).flat() : [];
  return [value, ...members].flatMap((member) => files.find(member) ?? []);
}

const holdsFile = (files: RunFiles, value: Json) => foundIn(files, value).length > 0;

/** A file of the run with its bytes. Throws a RunError for one that is too large to be read whole. */
export async function bytesOf({ files, signal }: WorkContext, file: FileValue): Promise<NamedBytes> {
  const bytes = await files.read(file, { maxBytes: largestRead, signal });
  return { name: file.name, mediaType: file.mediaType, bytes };
}

/** The bytes of files that are held together. Throws a RunError for too many, before any is read. */
export async function bytesOfAll(context: WorkContext, files: readonly FileValue[]): Promise<NamedBytes[]> {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (files.length > maxTogether.files || size > maxTogether.bytes) {
    const most = `${maxTogether.files.toLocaleString("en")} files with ${maxTogether.bytes / 1024 / 1024} MB together`;
    const message = `These are ${files.length.toLocaleString("en")} files with ${Math.ceil(size / 1024 / 1024)} MB; at most ${most} can be packed.`;
    throw new RunError({ code: "invalid_config", message, hint: "Pack fewer files at a time." });
  }
  const read: NamedBytes[] = [];
  for (const file of files) read.push(await bytesOf(context, file));
  return read;
}

/** The members of an answer or an item in which a text is that stands for a file. */
const textMembers = ["body", "data", "text"];

/** The text that a value is or holds, such as the body of an answer, where it holds no file. */
export function textIn(files: RunFiles, value: Json): string | undefined {
  const texts = isJsonObject(value) ? textMembers.map((name) => value[name]) : [value];
  const text = texts.find((member) => typeof member === "string");
  return holdsFile(files, value) ? undefined : text;
}

/** A text as the content of a file. */
export function textBytes(name: string, text: string): NamedBytes {
  return { name, mediaType: "", bytes: new TextEncoder().encode(text) };
}

/** What a step reads: the file that a value is or holds, or its text. Throws a RunError for neither. */
export async function contentIn(context: WorkContext, value: Json): Promise<NamedBytes> {
  const text = textIn(context.files, value);
  return text === undefined ? bytesOf(context, fileIn(context.files, value)) : textBytes("text", text);
}

/** Keeps files as files of the run. */
export async function keep({ files, signal }: WorkContext, made: readonly NamedBytes[]): Promise<FileValue[]> {
  const kept: FileValue[] = [];
  for (const { name, mediaType, bytes } of made) {
    kept.push(await files.create(name, mediaType, new Uint8Array(bytes), { signal }));
  }
  return kept;
}
