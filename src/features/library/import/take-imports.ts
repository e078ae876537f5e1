import { visibleName } from "../../../engine/text/visible-name.ts";
import type { WorkflowDocument } from "../../../engine/document/workflow-document.ts";
import { readTextFile } from "../../../engine/text/decode-text.ts";
import { ServiceError, type WorkflowRepository } from "../../../services/services.ts";
import type { StoreFile } from "../../../engine/file/sent-file.ts";
import { storePinnedFiles } from "../pinned-files.ts";
import { freeName } from "../workflow-actions.ts";
import { placedDocument } from "../../../state/editing/placed-document.ts";
import { type ImportFindings, type OwnThings, readImports } from "./read-import.ts";

/** What one file gave: its workflows, or why there are none. */
export interface ReadFile {
  name: string;
  workflows: readonly ImportFindings[];
  problems: readonly string[];
}

const largestFile = 20_000_000;

type TextFile = Pick<File, "name" | "size" | "type" | "arrayBuffer">;

/** Reads one file. Nothing is run and nothing is requested. Never rejects. */
export async function readFile(file: TextFile, own: OwnThings, newId: () => string): Promise<ReadFile> {
  const refused = (...problems: string[]): ReadFile => ({ name: visibleName(file.name), workflows: [], problems });
  if (file.size > largestFile) return refused("The file is larger than 20 MB.");
  try {
    const read = readImports(await readTextFile(file), own, newId, visibleName(file.name));
    if (!read.ok) return refused(...read.problems);
    const workflows: ImportFindings[] = [];
    for (const one of read.workflows) workflows.push({ ...one, document: await placedDocument(one), unplaced: [] });
    return { name: visibleName(file.name), workflows, problems: [] };
  } catch (error) {
    return refused(`The file cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** How an import of many ended. `left` are those that were not made, because it was stopped or storing failed. */
export interface TakenImports {
  made: { id: string; name: string }[];
  left: WorkflowDocument[];
  failure?: unknown;
}

/** Stores workflows one after the other, each under a free name. Stops at the first that cannot be stored. Never rejects. */
export async function takeImports(
  workflows: Pick<WorkflowRepository, "create">,
  findings: readonly Pick<ImportFindings, "document" | "sent">[],
  options: {
    store: StoreFile;
    names: readonly string[];
    newId: () => string;
    signal: AbortSignal;
    onProgress: (done: number) => void;
  },
): Promise<TakenImports> {
  const names = [...options.names];
  const made: TakenImports["made"] = [];
  const leftFrom = (index: number) => findings.slice(index).map(({ document }) => document);
  for (const [index, { document, sent }] of findings.entries()) {
    if (options.signal.aborted) return { made, left: leftFrom(index) };
    const name = freeName(document.name, names);
    names.push(name);
    try {
      const whole = await storePinnedFiles(document, sent, options.store);
      const { id } = await workflows.create({ ...whole, id: options.newId(), name });
      made.push({ id, name });
    } catch (error) {
      const failure = error instanceof ServiceError ? error : new Error(String(error));
      return { made, left: leftFrom(index), failure };
    }
    options.onProgress(index + 1);
  }
  return { made, left: [] };
}
