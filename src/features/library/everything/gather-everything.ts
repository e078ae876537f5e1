import { packCase } from "../../../evaluation/suite/case-files.ts";
import { createFilePacker } from "../../../engine/file/pack-files.ts";
import { fileReader } from "../../../state/file/file-bytes.ts";
import type { Services } from "../../../services/services.ts";
import { withPinnedFiles } from "../pinned-files.ts";
import type { Gathered } from "./everything-file.ts";

/** What is asked for at once: the embedded database serves one statement at a time. */
const atOnce = 4;

/**
 * Reads all work of the account; `left` names files of cases and pinned outputs that are gone or too large for one export. `onProgress` hears how many
 * workflows of all have been read.
 */
export async function gatherEverything(
  {
    workflows,
    evaluations,
    knowledge,
    runs,
    memory,
    files,
  }: Pick<Services, "workflows" | "evaluations" | "knowledge" | "runs" | "memory" | "files">,
  onProgress: (done: number, all: number) => void = () => {},
): Promise<{ gathered: Gathered; left: ReadonlySet<string> }> {
  const listed = await workflows.list();
  const packer = createFilePacker(fileReader(files));
  const documents: Gathered["workflows"][number][] = [];
  for (let from = 0; from < listed.length; from += atOnce) {
    onProgress(documents.length, listed.length);
    const some = listed.slice(from, from + atOnce);
    const read = await Promise.all(some.map(async ({ id }) => (await workflows.get(id)).document));
    for (const document of read) documents.push(await withPinnedFiles(document, packer));
  }
  const suites: Gathered["suites"] = [];
  for (const { id } of await evaluations.list()) {
    const [{ name, workflowId, settings }, cases] = await Promise.all([evaluations.get(id), evaluations.cases(id)]);
    const packed: Gathered["suites"][number]["cases"] = [];
    for (const one of cases) packed.push(await packCase(packer, one.case));
    suites.push({ name, workflow: workflowId, settings, cases: packed });
  }
  // A table is reached by a credential, which no other account has.
  const ofDocuments = (await knowledge.collections()).filter(({ table }) => table === undefined);
  const collections = ofDocuments.map(({ id, name, description, chunking }) => ({ id, name, description, chunking }));
  const [runRetention, conversations] = await Promise.all([runs.retention(), memory.retention()]);
  const gathered = {
    exportedAt: new Date().toISOString(),
    workflows: documents,
    suites,
    collections,
    settings: { runs: runRetention, conversations },
  };
  return { gathered, left: packer.left };
}
