import { type FileValue, fileSchema, mapFiles } from "../../engine/file/file.ts";
import type { Json } from "../../engine/json.ts";
import { base64Of } from "../../engine/model/data-url.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import type { EvaluationCase, SentCase } from "./evaluation-case.ts";
import { sentBytes, type SentFile } from "./sent-file.ts";

/** Bytes of files that one export holds: it is a text, which is read at once. */
export const maxExportBytes = 40 * 1024 * 1024;

/** Reads a file of the account; undefined where it is gone. */
export type ReadFile = (id: string) => Promise<Uint8Array | undefined>;

/** Stores bytes as a file of the account. */
export type StoreFile = (file: {
  name: string;
  mediaType: string;
  bytes: Uint8Array<ArrayBuffer>;
}) => Promise<FileValue>;

/** The files that a recording names; what is masked is none. */
export function filesOfEvents(events: readonly RunEvent[]): FileValue[] {
  return events.flatMap((event) => {
    const named = event.type === "run-start" ? (event.files ?? []) : event.type === "file-add" ? [event.file] : [];
    return named.filter((file) => fileSchema.safeParse(file).success);
  });
}

/** Puts files into cases that leave the studio, within `maxExportBytes`. */
export function createCasePacker(read: ReadFile, maxBytes = maxExportBytes) {
  const left = new Set<string>();
  let room = maxBytes;
  return {
    /** Names of files that are gone or for which there was no room. */
    left,
    /** The case with its files, and those of its recording. */
    async pack({ files = [], ...one }: EvaluationCase, recording: readonly RunEvent[] = []): Promise<SentCase> {
      const named = new Map([...files, ...filesOfEvents(recording)].map((file) => [file.$file, file]));
      const sent: SentFile[] = [];
      for (const { size, ...file } of named.values()) {
        const bytes = size <= room ? await read(file.$file) : undefined;
        if (bytes) sent.push({ ...file, base64: base64Of(bytes) });
        else left.add(file.name);
        if (bytes) room -= size;
      }
      return sent.length === 0 ? one : { ...one, files: sent };
    },
  };
}

/**
 * A case from outside with what came along stored as files of this account, under new ids. A file without its bytes, or with others, is
 * left out: what names it is plain data. Rejects as `store` does.
 */
export async function storeCaseFiles(
  one: EvaluationCase,
  sent: readonly SentFile[],
  store: StoreFile,
): Promise<EvaluationCase> {
  const { files: _outside, ...rest } = one;
  const stored = new Map<string, FileValue>();
  for (const file of sent) {
    const bytes = sentBytes(file);
    if (bytes) stored.set(file.$file, await store({ name: file.name, mediaType: file.mediaType, bytes }));
  }
  if (stored.size === 0) return rest;
  const renamed = (value: Json) => mapFiles(value, (file) => stored.get(file.$file) ?? file);
  return {
    ...rest,
    input: renamed(rest.input),
    ...(rest.expected === undefined ? {} : { expected: renamed(rest.expected) }),
    ...(rest.start?.outputs === undefined
      ? {}
      : {
          start: {
            ...rest.start,
            outputs: Object.fromEntries(
              Object.entries(rest.start.outputs).map(([id, output]): [string, Json] => [id, renamed(output)]),
            ),
          },
        }),
    files: [...stored.values()],
  };
}
