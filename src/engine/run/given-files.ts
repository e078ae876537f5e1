import type { Problem } from "../document/problem.ts";
import { type FileValue, filesIn } from "../file/file.ts";
import type { FileStore } from "../file/file-store.ts";
import type { KnownFiles } from "../file/run-files.ts";
import type { Json } from "../json.ts";

/** The most files that are looked for. */
const maxFiles = 100;
const atOnce = 10;

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
  const named = eachOnce(given).filter(({ file }) => !known.has(file.$file));
  const left = named.slice(maxFiles).find(({ pinnedIn }) => pinnedIn !== undefined);
  if (left?.pinnedIn !== undefined) {
    const message = `The pinned output of "${left.pinnedIn}" names more files than a run can be given (${maxFiles}).`;
    problems.push(problemOf(left.nodeId, message, "Pin an output with fewer files."));
  }
  const wanted = named.slice(0, maxFiles);
  for (let start = 0; start < wanted.length; start += atOnce) {
    const group = wanted.slice(start, start + atOnce);
    const answers = await Promise.all(group.map(({ file }) => store?.find(file.$file, { signal })));
    for (const [index, { nodeId, pinnedIn, file }] of group.entries()) {
      const answer = answers[index];
      const kept = answer?.ok ? answer.value : undefined;
      if (kept?.sha256 === file.sha256 && kept.size === file.size) found.push({ nodeId, file: kept });
      else if (pinnedIn !== undefined) {
        const failure = answer?.ok === false ? answer.error : notThere;
        const message = `The file "${file.name}" in the pinned output of "${pinnedIn}" cannot be used. ${failure.message}`;
        problems.push(problemOf(nodeId, message, failure.hint));
      }
    }
  }
  return { found, problems };
}

/** The files that values name, each once: as a pinned output names it, where one does. */
function eachOnce(given: readonly GivenValue[]): (FoundFile & Pick<GivenValue, "pinnedIn">)[] {
  const named = new Map<string, FoundFile & Pick<GivenValue, "pinnedIn">>();
  for (const { value, ...from } of given) {
    for (const file of filesIn(value)) {
      const key = `${file.$file} ${file.size} ${file.sha256}`;
      const before = named.get(key);
      if (!before || (before.pinnedIn === undefined && from.pinnedIn !== undefined)) named.set(key, { ...from, file });
    }
  }
  return [...named.values()];
}

const notThere = {
  message: "It is not among your files.",
  hint: "Unpin the output, run the node and pin it again. A file that was deleted, changed or belongs to somebody else gives nothing.",
};

function problemOf(nodeId: string, message: string, hint: string): Problem {
  return { nodeId, severity: "error", code: "invalid_config", message, hint };
}
