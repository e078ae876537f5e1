import { randomUUID } from "node:crypto";
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { basename, extname, join, relative } from "node:path";
import { type ImportedWorkflow, importForeign } from "../../src/import/index.ts";
import type { ImportReport } from "../../src/import/report.ts";
import type { WorkflowDocument } from "../../src/engine/document/workflow-document.ts";
import { parseCurl } from "../../src/nodes/http/parse-curl.ts";
import { nodeRegistry } from "../../src/nodes/index.ts";
import { placedDocument } from "../../src/state/editing/placed-document.ts";
import { CommandFailure } from "../headless/command-failure.ts";
import { printLine } from "../headless/print.ts";
import { readTextFile, userPath } from "../headless/read-file.ts";

/** What is printed for each file; a contract for programs. */
type FileReport = { file: string; error?: string } & ImportReport;

const extensions = new Set([".json", ".yml", ".yaml", ".ts", ".tsx", ".js", ".mjs", ".txt", ".sh", ".curl"]);

const nothing = {
  nodes: { total: 0, mapped: 0, approximated: 0, needsCredential: 0, placeholder: 0 },
  edges: { total: 0, mapped: 0, reported: 0 },
  expressions: { total: 0, cel: 0, code: 0, unsupported: 0 },
  entries: [],
};

/** Imports a file, or all files of a folder; prints a report for each. Gives the exit code. */
export async function importFiles(options: { path: string; out: string | undefined; json: boolean }): Promise<number> {
  const root = userPath(options.path);
  const files = await filesAt(root);
  const out = options.out === undefined ? undefined : userPath(options.out);
  if (out !== undefined) await mkdir(out, { recursive: true });
  const written = new Set<string>();
  let failed = false;
  for (const file of files) {
    const shown = files.length === 1 && file === root ? options.path : relative(root, file);
    const { report, workflows } = importText(shown, await readTextFile(file));
    if (report.error !== undefined) failed = true;
    await printLine(options.json ? JSON.stringify(report) : summary(report));
    if (out === undefined) continue;
    for (const workflow of workflows) await write(out, file, await placedDocument(workflow), written);
  }
  return failed ? 1 : 0;
}

async function filesAt(root: string): Promise<string[]> {
  const found = await stat(root).catch(() => undefined);
  if (!found) throw new CommandFailure(`There is no file or folder ${root}.`, "Check the path.");
  if (!found.isDirectory()) return [root];
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && extensions.has(extname(entry.name).toLowerCase()))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

/** A file's report, the workflows of a file that has several together. */
function importText(file: string, text: string): { report: FileReport; workflows: readonly ImportedWorkflow[] } {
  try {
    const imported = importForeign(text, {
      registry: nodeRegistry,
      newId: randomUUID,
      readCurl: parseCurl,
      fileName: basename(file),
    });
    if (!imported.ok)
      return { report: { file, error: imported.problem, ...nothing, format: imported.format }, workflows: [] };
    const reports = imported.workflows.map(({ report }) => report);
    return {
      report: { file, format: imported.format, ...together(reports) },
      workflows: imported.workflows,
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return {
      report: { file, error: `The file cannot be read: ${message}`, format: "unknown", ...nothing },
      workflows: [],
    };
  }
}

function together(reports: readonly ImportReport[]): Omit<ImportReport, "format"> {
  const total = <Counts extends Record<string, number>>(counts: readonly Counts[], none: Counts): Counts =>
    counts.reduce((sum, one) => {
      const next = { ...sum };
      for (const key of Object.keys(none) as (keyof Counts)[])
        next[key] = ((sum[key] ?? 0) + (one[key] ?? 0)) as Counts[keyof Counts];
      return next;
    }, none);
  return {
    nodes: total(
      reports.map(({ nodes }) => nodes),
      nothing.nodes,
    ),
    edges: total(
      reports.map(({ edges }) => edges),
      nothing.edges,
    ),
    expressions: total(
      reports.map(({ expressions }) => expressions),
      nothing.expressions,
    ),
    entries: reports.flatMap(({ entries }) => entries),
  };
}

function summary({ file, error, format, nodes, edges, expressions, entries }: FileReport): string {
  if (error !== undefined) return `${file}: ${error}`;
  const lines = entries
    .filter(({ about, outcome }) => about === "node" && outcome !== "mapped")
    .map(({ node, outcome, note }) => `    ${node}: ${outcome}. ${note}`);
  return [
    `${file} (${format}): ${nodes.total} nodes, ${nodes.mapped} mapped, ${nodes.approximated} approximated, ${nodes.needsCredential} need a credential, ${nodes.placeholder} placeholders`,
    `    ${edges.total} edges, ${edges.mapped} mapped; ${expressions.total} expressions, ${expressions.cel} translated, ${expressions.code} as code, ${expressions.unsupported} without a counterpart`,
    ...lines,
  ].join("\n");
}

async function write(out: string, file: string, document: WorkflowDocument, written: Set<string>): Promise<void> {
  const base = basename(file, extname(file));
  let name = `${base}.json`;
  for (let number = 2; written.has(name); number += 1) name = `${base}-${number}.json`;
  written.add(name);
  await writeFile(join(out, name), `${JSON.stringify(document, null, 2)}\n`);
}
