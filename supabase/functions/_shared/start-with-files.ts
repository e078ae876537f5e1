import { type DoorStart, sendersOf, startRun } from "./door-runs.ts";
import type { FunctionContext } from "./endpoint.ts";
import type { InputWithFiles } from "./files/attached.ts";
import { discardFiles, keepSent } from "./files/door-files.ts";

/**
 * Starts a run with files that came with its input: they are stored first, and go again where no new run has them. Throws
 * DoorProblem.
 */
export async function startWithFiles(
  context: FunctionContext,
  input: InputWithFiles,
  start: Omit<DoorStart, "input" | "files" | "areFilesCounted" | "publication"> & {
    publication: DoorStart["publication"] & { owner: string };
  },
  signal: AbortSignal,
): Promise<{ id: string }> {
  const { publication, idempotencyKey: key } = start;
  const upload = { publication, senders: await sendersOf(start), key };
  const files = [...(input.stored ?? [])];
  let isNew = false;
  try {
    files.push(...(await keepSent(context, upload, input.files, signal)));
    const started = await startRun(context.supabase, {
      ...start,
      input: input.with(files),
      files,
      areFilesCounted: input.stored !== undefined,
    });
    isNew = started.isNew;
    return started;
  } finally {
    if (!isNew) await discardFiles(context, publication.owner, files);
  }
}
