import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { MetadataChange } from "../../src/engine/knowledge/document-metadata.ts";
import type { AddCommand } from "./arguments.ts";
import { documentsClient, type DocumentsClient, type RemoteDocument } from "./documents-client.ts";
import { type FolderFile, readFolder } from "./folder-files.ts";

/** Milliseconds between two looks at how far the documents are. */
const lookMs = 1_000;

/** Sends what changed, and says what became of it. Gives the exit code. Throws CommandFailure. */
export async function addFolder(command: AddCommand, tell: (line: string) => Promise<void>): Promise<number> {
  const { folder, collection, wait, dryRun, metadata, studio } = command;
  const { files, leftOut } = await readFolder(folder);
  const client = documentsClient(studio, collection);
  const known = await client.list();
  const isThere = ({ name, sha256 }: FolderFile) => {
    const document = known.get(name);
    return document?.sha256 === sha256 && document.status !== "failed" && hasMetadata(document, metadata);
  };
  for (const { name, why } of leftOut) await tell(`left out   ${name}: ${why}`);
  const changed = files.filter((file) => !isThere(file));
  for (const { name, path } of changed) {
    if (!dryRun) await client.send(name, new Uint8Array(await readFile(path)), metadata);
    await tell(`${dryRun ? "would send" : "sent      "} ${name}`);
  }
  await tell(`${counted(changed.length)} ${dryRun ? "to send" : "sent"}, ${files.length - changed.length} unchanged.`);
  if (!wait || dryRun) return 0;
  return await awaitStored(client, new Set(files.map(({ name }) => name)), tell);
}

/** Whether a document has what is given for it. */
function hasMetadata({ metadata }: RemoteDocument, given: MetadataChange): boolean {
  return Object.entries(given).every(([name, value]) => (metadata[name] ?? null) === value);
}

/** Waits until none of these documents is on its way. */
async function awaitStored(
  client: DocumentsClient,
  names: ReadonlySet<string>,
  tell: (line: string) => Promise<void>,
): Promise<number> {
  for (;;) {
    const documents = [...(await client.list()).values()].filter(({ name }) => names.has(name));
    if (documents.some(({ status }) => status === "pending")) {
      await sleep(lookMs);
      continue;
    }
    const failed = documents.filter(({ status }) => status === "failed");
    for (const { name, error } of failed) {
      await tell(`failed     ${name}: ${error?.message ?? "it could not be stored."} ${error?.hint ?? ""}`.trimEnd());
    }
    if (failed.length === 0) await tell("All are stored.");
    return failed.length === 0 ? 0 : 1;
  }
}

const counted = (count: number) => `${count.toLocaleString("en")} ${count === 1 ? "file" : "files"}`;
