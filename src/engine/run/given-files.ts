import type { Problem } from "../document/problem.ts";
import { type FileValue, filesIn } from "../file/file.ts";
import type { FileStore } from "../file/file-store.ts";
import type { KnownFiles } from "../file/run-files.ts";
import type { Json } from "../json.ts";

/** The most files that are looked for. */
const maxFiles = 100;

/** A value that stands for what a node would give or get. */
export interface GivenValue {
  nodeId: string;
  value: Json;
  /** The title of the node in whose pin it stands; absent for a value of an earlier run. */
  pinnedIn?: string;
}

/** A file and the node whose value brings it. */
interface FoundFile {
  nodeId: string;
  file: FileValue;
}

/**
 * The files that such values bring into a run: those of the owner with the id, the size and the hash that stand there. A document may
 * come from somebody else, so an id alone gives nothing. A pinned file that cannot be given is a problem of its node; in any other
 * value it is plain data. Rejects with the signal's reason.
 */
export async function findGivenFiles(
  given: readonly GivenValue[],
  { known, store, signal }: { known: KnownFiles; store: FileStore | undefined; signal: AbortSignal },
): Promise<{ found: FoundFile[]; problems: Problem[] }> {
  const found: FoundFile[] = [];
  const problems: Problem[] = [];
  const named = given.flatMap(({ value, ...from }) =>
    filesIn(value).flatMap((file) => (known.has(file.$file) ? [] : [{ ...from, file }])),
  );
  const left = named.slice(maxFiles).find(({ pinnedIn }) => pinnedIn !== undefined);
  if (left?.pinnedIn !== undefined) {
    const message = `The pinned output of "${left.pinnedIn}" names more files than a run can be given (${maxFiles}).`;
    problems.push(problemOf(left.nodeId, message, "Pin an output with fewer files."));
  }
  for (const { nodeId, pinnedIn, file } of named.slice(0, maxFiles)) {
    const answer = await store?.find(file.$file, { signal });
    const kept = answer?.ok ? answer.value : undefined;
    if (kept?.sha256 === file.sha256 && kept.size === file.size) found.push({ nodeId, file: kept });
    else if (pinnedIn !== undefined) {
      const failure = answer?.ok === false ? answer.error : notThere;
      const message = `The file "${file.name}" in the pinned output of "${pinnedIn}" cannot be used. ${failure.message}`;
      problems.push(problemOf(nodeId, message, failure.hint));
    }
  }
  return { found, problems };
}

const notThere = {
  message: "It is not among your files.",
  hint: "Unpin the output, run the node and pin it again. A file that was deleted, changed or belongs to somebody else gives nothing.",
};

function problemOf(nodeId: string, message: string, hint: string): Problem {
  return { nodeId, severity: "error", code: "invalid_config", message, hint };
}
