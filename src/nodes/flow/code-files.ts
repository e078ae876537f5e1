import { RunError } from "../../engine/errors.ts";
import type { CodeFile, MadeFile } from "../../engine/host.ts";
import { type FileValue, fileIdIn } from "../../engine/file/file.ts";
import type { RunFiles } from "../../engine/file/run-files.ts";
import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";

/** What code is told of `files`. */
export const codeFilesHelp =
  "Reads and makes files: files.read(file) and files.text(file), files.make(name, content), await files.rows(file) and files.makeTable(name, rows) for CSV and Excel, await files.unzip(file) and files.zip(name, files)";

/** What code is given of the run's files, and how its own become some. */
interface FilesForCode {
  /** For the request; undefined where the code uses none, or none can be kept. */
  given: readonly CodeFile[] | undefined;
  /** The files that the code could read. */
  read: readonly FileValue[];
}

interface Options {
  files: RunFiles;
  signal: AbortSignal;
}

/**
 * The files that these values hold, for code that names `files`: their bytes, together no more than the memory of the sandbox. Code
 * reaches no others, whatever ids it knows.
 */
export async function filesForCode(
  code: string,
  values: Json,
  memoryBytes: number,
  { files, signal }: Options,
): Promise<FilesForCode> {
  if (!files.canKeep || !/\bfiles\b/.test(code)) return { given: undefined, read: [] };
  const given: CodeFile[] = [];
  const read: FileValue[] = [];
  let left = memoryBytes;
  for (const file of files.findAll(values)) {
    const { $file: id, name } = file;
    try {
      const bytes = await files.read(file, { maxBytes: left, signal });
      left -= bytes.length;
      given.push({ id, name, bytes });
      read.push(file);
    } catch (error) {
      // The code may not need it: only where it reads it, it is told.
      if (!(error instanceof RunError)) throw error;
      const isLarge = file.size > left;
      const problem = isLarge
        ? `"${name}" does not fit into the memory limit, together with the other files. Raise the limit, or give the code fewer files.`
        : `${error.data.message} ${error.data.hint}`;
      given.push({ id, name, problem });
    }
  }
  return { given, read };
}

/** The output of code with the files in it that it made. Those that it does not give are not kept. Throws a RunError. */
export async function withMadeFiles(
  output: Json,
  made: readonly MadeFile[] | undefined,
  { files, signal }: Options,
): Promise<Json> {
  if (!made) return output;
  const left = new Map(made.map((file) => [file.id, file]));
  const kept = new Map<string, FileValue>();

  async function keep({ id, name, mediaType, bytes }: MadeFile): Promise<FileValue> {
    const file = kept.get(id) ?? (await files.create(name, mediaType, bytes, { signal }));
    kept.set(id, file);
    return file;
  }

  async function replaced(value: Json): Promise<Json> {
    if (Array.isArray(value)) {
      const list: Json[] = [];
      for (const each of value) list.push(await replaced(each));
      return list;
    }
    if (!isJsonObject(value)) return value;
    const file = left.get(fileIdIn(value) ?? "");
    if (file) return { ...(await keep(file)) };
    const object: JsonObject = {};
    for (const [key, inner] of Object.entries(value)) {
      Object.defineProperty(object, key, {
        value: await replaced(inner),
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
    return object;
  }
  return await replaced(output);
}
