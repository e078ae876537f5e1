import { fileIdsIn, type FileValue } from "../../../../src/engine/file/file.ts";
import type { Json } from "../../../../src/engine/json.ts";
import type { FunctionContext } from "../endpoint.ts";
import { fileLinkSeconds, makeFileLink } from "./file-link.ts";
import { createFileStorage } from "./file-storage.ts";

/** Files of one answer that are told of. */
const maxFiles = 20;

/** A file of an answer and where whoever has the address gets it for an hour. */
export interface AnsweredFile {
  file: FileValue;
  url: string;
}

/** The files that a run's output names, as far as the run holds them; `base` begins their addresses. */
export async function answeredFiles(
  run: { id: string; output?: Json | null | undefined },
  base: string,
  context: Pick<FunctionContext, "environment" | "supabase">,
): Promise<AnsweredFile[]> {
  const storage = createFileStorage(context);
  const found: AnsweredFile[] = [];
  for (const id of fileIdsIn(run.output ?? null).slice(0, maxFiles)) {
    const file = await storage.describe({ run: run.id }, id);
    if (file === null) continue;
    const link = await makeFileLink({ run: run.id, file: id }, context.environment, fileLinkSeconds.api);
    found.push({ file, url: base + link });
  }
  return found;
}
