import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readDocument } from "../../src/engine/document/read-document.ts";
import type { WorkflowDocument } from "../../src/engine/document/workflow-document.ts";
import type { WorkflowLoader } from "../../src/engine/host.ts";
import { nodeRegistry } from "../../src/nodes/index.ts";
import { CommandFailure } from "./command-failure.ts";
import { printNotes } from "./print.ts";
import { readTextFile, userPath } from "./read-file.ts";
import { readJson } from "../../src/engine/json.ts";

/**
 * The workflows that a workflow tool may run: every exported one in a directory, by its id. Files that are no workflow are
 * passed over. Without a directory there are none. Throws CommandFailure when the directory cannot be read.
 */
export async function readWorkflowDirectory(path: string | undefined): Promise<WorkflowLoader> {
  const documents = path === undefined ? new Map<string, WorkflowDocument>() : await readAll(userPath(path));
  return {
    load(id) {
      const document = documents.get(id);
      if (document) return Promise.resolve({ ok: true, document });
      return Promise.resolve({
        ok: false,
        error: {
          code: "invalid_config",
          message: `There is no workflow with the id "${id}" here.`,
          hint: "Export it too, and name the directory of both files with --workflows.",
          retryable: false,
        },
      });
    },
  };
}

async function readAll(directory: string): Promise<Map<string, WorkflowDocument>> {
  const names = await readdir(directory).catch((error: Error) => {
    throw new CommandFailure(`The directory ${directory} cannot be read: ${error.message}`, "Check --workflows.");
  });
  const documents = new Map<string, WorkflowDocument>();
  for (const name of names.filter((file) => file.endsWith(".json")).toSorted()) {
    const document = await readOne(join(directory, name));
    if (document) documents.set(document.id, document);
  }
  return documents;
}

async function readOne(path: string): Promise<WorkflowDocument | undefined> {
  try {
    const read = readDocument(readJson(await readTextFile(path)), nodeRegistry);
    if (!read.ok) return undefined;
    // Other JSON reads as a workflow without nodes.
    if (Object.keys(read.document.nodes).length > 0) await printNotes(read.notes, path);
    return read.document;
  } catch {
    return undefined;
  }
}
