import { createHash } from "node:crypto";
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { sourceKind } from "../../src/documents/source-kind.ts";
import { CommandFailure } from "../headless/command-failure.ts";

/** Bytes of one document. */
const largestFile = 50 * 1024 * 1024;

/** Bytes that tell what a file is. */
const startBytes = 4_096;

/** A file of a folder as the document that it becomes. */
export interface FolderFile {
  /** Its path in the folder, with slashes. */
  name: string;
  path: string;
  sha256: string;
}

/** What a folder holds: the files that collections take, and why others are left out. */
export interface FolderContent {
  files: FolderFile[];
  leftOut: { name: string; why: string }[];
}

/** Reads a folder and all in it, by name. Throws CommandFailure where there is none. */
export async function readFolder(folder: string): Promise<FolderContent> {
  const content: FolderContent = { files: [], leftOut: [] };
  for (const name of (await namesIn(folder, "")).toSorted()) {
    const path = join(folder, name);
    const found = await readFile(path, name);
    if ("why" in found) content.leftOut.push({ name, why: found.why });
    else content.files.push({ name, path, sha256: found.sha256 });
  }
  return content;
}

async function namesIn(folder: string, prefix: string): Promise<string[]> {
  const entries = await readdir(join(folder, prefix), { withFileTypes: true }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(`The folder ${join(folder, prefix)} cannot be read: ${reason}`, "Check its path.", 2);
  });
  const names: string[] = [];
  for (const entry of entries) {
    if (entry.name.startsWith(".")) continue;
    const name = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
    if (entry.isDirectory()) names.push(...(await namesIn(folder, name)));
    else if (entry.isFile()) names.push(name);
  }
  return names;
}

async function readFile(path: string, name: string): Promise<{ sha256: string } | { why: string }> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size === 0) return { why: "it is empty" };
    if (size > largestFile) return { why: `it has more than ${largestFile / 1024 / 1024} MB` };
    const start = await textAt(file, 0, Math.min(size, startBytes));
    const end = await textAt(file, Math.max(0, size - startBytes), Math.min(size, startBytes));
    if (sourceKind(name, "", start, end) === null) return { why: "collections do not take such files" };
    const hash = createHash("sha256");
    for await (const chunk of file.createReadStream({ start: 0, autoClose: false })) hash.update(chunk as Buffer);
    return { sha256: hash.digest("hex") };
  } finally {
    await file.close();
  }
}

async function textAt(file: Awaited<ReturnType<typeof open>>, from: number, length: number): Promise<string> {
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, from);
  return new TextDecoder().decode(buffer);
}
