import type { NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { type FileValue, filesIn, mapFiles } from "../../engine/file/file.ts";
import type { FilePacker } from "../../engine/file/pack-files.ts";
import { type SentFile, type StoreFile, storeSent } from "../../engine/file/sent-file.ts";

/** A workflow as it leaves the studio: with the bytes of the files in its pinned outputs. */
export type SentWorkflow = WorkflowDocument & { files?: SentFile[] };

/** The workflow with the files of its pinned outputs. */
export async function withPinnedFiles(document: WorkflowDocument, packer: FilePacker): Promise<SentWorkflow> {
  const named = Object.values(document.nodes).flatMap(({ pin }): FileValue[] => filesIn(pin?.output));
  const files = await packer.pack(named);
  return files.length === 0 ? document : { ...document, files };
}

/**
 * A workflow from outside whose pinned outputs have what came along as files of this account, under new ids. What else they name
 * stays as it is: a run looks for it among the owner's files. Rejects as `store` does.
 */
export async function storePinnedFiles(
  document: WorkflowDocument,
  sent: readonly SentFile[],
  store: StoreFile,
): Promise<WorkflowDocument> {
  const named = new Set(Object.values(document.nodes).flatMap(({ pin }) => filesIn(pin?.output).map(idOf)));
  const stored = await storeSent(
    sent.filter((file) => named.has(idOf(file))),
    store,
  );
  if (stored.size === 0) return document;
  const nodes = Object.entries(document.nodes).map(([id, node]): [string, NodeRecord] => {
    if (node.pin === undefined) return [id, node];
    const output = mapFiles(node.pin.output, (file) => stored.get(idOf(file)) ?? file);
    return [id, { ...node, pin: { ...node.pin, output } }];
  });
  return { ...document, nodes: Object.fromEntries(nodes) };
}

const idOf = ({ $file }: Pick<FileValue, "$file">): string => $file;
