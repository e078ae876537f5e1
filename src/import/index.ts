import type { NodeRegistry } from "../engine/document/define-node.ts";
import type { importFormats } from "../engine/document/import-report.ts";
import { readDocument } from "../engine/document/read-document.ts";
import { markForReview } from "../engine/document/review.ts";
import { cleanText, withoutTypedSecrets } from "../engine/document/typed-secrets.ts";
import { unplacedNodes } from "../engine/document/unplaced-nodes.ts";
import type { WorkflowDocument } from "../engine/document/workflow-document.ts";
import type { JsonObject } from "../engine/json.ts";
import { importAgentsCode } from "./agents-code/import-agents-code.ts";
import { isAgentsCode } from "./agents-code/program.ts";
import { importDify } from "./dify/import-dify.ts";
import { isDify } from "./dify/read-dify.ts";
import { importFlowise } from "./flowise/import-flowise.ts";
import { flowsIn } from "./flowise/read-flowise.ts";
import { importLangflow } from "./langflow/import-langflow.ts";
import { langflowsIn } from "./langflow/read-langflow.ts";
import { importN8n } from "./n8n/import-n8n.ts";
import { workflowsIn } from "./n8n/read-n8n.ts";
import { importCurl, isCurl, type ReadCurl } from "./openapi/import-curl.ts";
import { importOpenApi, isOpenApi } from "./openapi/import-openapi.ts";
import { unnamed } from "./draft.ts";
import { keepReport } from "./keep-report.ts";
import { mostCharacters, readText } from "./read-text.ts";
import { type ImportReport, takenOut } from "./report.ts";

/** Formats that are read besides the studio's own. */
export type ForeignFormat = (typeof importFormats)[number];

/** What an import needs from where it runs. */
export interface ImportOptions {
  registry: NodeRegistry;
  newId(): string;
  /** The name of the file: that of its workflow where it gives none itself. */
  fileName?: string | undefined;
  /** Reads cURL commands; without it they are of no format that can be imported. */
  readCurl?: ReadCurl;
}

/** One workflow that was found in a file. */
export interface ImportedWorkflow {
  document: WorkflowDocument;
  /** The ids of nodes for which the file has no place; here they stand in a row. */
  unplaced: readonly string[];
  report: ImportReport;
}

/** What a file gave: workflows, or why there is none. */
export type ForeignImport =
  | { ok: true; format: ForeignFormat; workflows: ImportedWorkflow[] }
  | { ok: false; format: ForeignFormat | "unknown"; problem: string };

type Reader = (
  source: JsonObject,
  registry: NodeRegistry,
  id: string,
) => { ok: true; document: WorkflowDocument; report: ImportReport } | { ok: false; problem: string };

/** How each format is recognised by what is in it, and read. The first that fits counts. */
const formats: readonly { format: ForeignFormat; find: (value: unknown) => JsonObject[]; read: Reader }[] = [
  { format: "dify", find: (value) => (isDify(value) ? [value] : []), read: importDify },
  { format: "flowise", find: flowsIn, read: importFlowise },
  { format: "langflow", find: langflowsIn, read: importLangflow },
  { format: "openapi", find: (value) => (isOpenApi(value) ? [value] : []), read: importOpenApi },
  { format: "n8n", find: workflowsIn, read: importN8n },
];

/**
 * Reads a workflow of another builder. Nothing is run, evaluated or requested; keys and tokens that are typed into it go to
 * the report and not into the document; what reaches out waits for review. Never throws.
 */
export function importForeign(text: string, options: ImportOptions): ForeignImport {
  try {
    return imported(text, options);
  } catch (error) {
    const reason =
      error instanceof RangeError
        ? "it nests too deeply or is too large"
        : "the importer does not understand a part of it";
    return { ok: false, format: "unknown", problem: `The file cannot be imported: ${reason}.` };
  }
}

function imported(text: string, options: ImportOptions): ForeignImport {
  const unknown = (problem: string): ForeignImport => ({ ok: false, format: "unknown", problem });
  if (text.length > mostCharacters) return unknown("The file is larger than 20 MB.");
  if (isAgentsCode(text))
    return finished("agent-builder", [importAgentsCode(text, options.registry, options.newId())], options);
  const { readCurl, registry, newId } = options;
  if (readCurl && isCurl(text)) return finished("curl", [importCurl(text, readCurl, registry, newId())], options);
  const source = readText(text);
  if (!source.ok) return unknown(source.problem);
  const made = found(source.value) ?? found(innerText(source.value));
  if (!made) return unknown("This file format cannot be imported.");
  const { format, read, sources } = made;
  return finished(
    format,
    sources.map((one) => read(one, options.registry, options.newId())),
    options,
  );
}

/** The format that a value is of, and what it holds. */
function found(value: unknown): { format: ForeignFormat; read: Reader; sources: JsonObject[] } | undefined {
  for (const { format, find, read } of formats) {
    const sources = find(value);
    if (sources.length > 0) return { format, read, sources };
  }
  return undefined;
}

/** What APIs hand out as a text within JSON: the text itself, or what stands under `data`. */
function innerText(value: unknown): unknown {
  const text = typeof value === "object" && value !== null && "data" in value ? value.data : value;
  const inner = typeof text === "string" ? readText(text) : undefined;
  return inner?.ok === true ? inner.value : undefined;
}

/** All workflows of a file, or why one of them cannot be taken. */
function finished(format: ForeignFormat, found: readonly ReturnType<Reader>[], options: ImportOptions): ForeignImport {
  const workflows: ImportedWorkflow[] = [];
  for (const one of found) {
    if (!one.ok) return { ok: false, format, problem: one.problem };
    const made = finish(one, format, options);
    if (typeof made === "string") return { ok: false, format, problem: made };
    workflows.push(made);
  }
  return { ok: true, format, workflows };
}

/** The workflow as the studio takes it: without secrets, checked, marked for review, and with its report. */
function finish(
  { document, report }: Pick<ImportedWorkflow, "document" | "report">,
  format: ForeignFormat,
  { registry, newId, fileName = "" }: ImportOptions,
): ImportedWorkflow | string {
  const clean = withoutTypedSecrets(document);
  for (const { title = "The workflow", field } of clean.removed) {
    report.entries.push({
      about: "credential",
      node: title,
      sourceType: field,
      targetType: null,
      outcome: "needsCredential",
      note: takenOut,
    });
  }
  // A name, an expression or an address of the file may hold a key.
  for (const entry of report.entries) {
    entry.node = cleanText(entry.node);
    entry.sourceType = cleanText(entry.sourceType);
    entry.note = cleanText(entry.note);
  }
  const name =
    clean.document.name === unnamed
      ? fileName
          .replace(/\.\w+$/, "")
          .trim()
          .slice(0, 200)
      : "";
  const plain: unknown = JSON.parse(JSON.stringify({ ...clean.document, ...(name === "" ? {} : { name }) }));
  const read = readDocument(plain, registry, newId);
  if (!read.ok) return read.problems.join(" ");
  const checked = { ...read.document, nodes: markForReview(read.document.nodes, registry) };
  const importReport = keepReport(report, { format, document: checked, registry });
  return {
    document: importReport ? { ...checked, importReport } : checked,
    unplaced: unplacedNodes(plain),
    report,
  };
}
