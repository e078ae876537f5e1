import { type FileValue, fileSchema, mapFiles } from "../../engine/file/file.ts";
import type { Json } from "../../engine/json.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import type { EvaluationCase, SentCase } from "./evaluation-case.ts";
import type { FilePacker } from "../../engine/file/pack-files.ts";
import { type SentFile, type StoreFile, storeSent } from "../../engine/file/sent-file.ts";

/** The files that a recording names; what is masked is none. */
export function filesOfEvents(events: readonly RunEvent[]): FileValue[] {
  return events.flatMap((event) => {
    const named = event.type === "run-start" ? (event.files ?? []) : event.type === "file-add" ? [event.file] : [];
    return named.filter((file) => fileSchema.safeParse(file).success);
  });
}

/** A case that leaves the studio, with its files and those of its recording. */
export async function packCase(
  packer: FilePacker,
  { files = [], ...one }: EvaluationCase,
  recording: readonly RunEvent[] = [],
): Promise<SentCase> {
  const sent = await packer.pack([...files, ...filesOfEvents(recording)]);
  return sent.length === 0 ? one : { ...one, files: sent };
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
  const stored = await storeSent(sent, store);
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
