import { describeFields } from "../../../engine/config/describe-fields.ts";
import { definitionOf } from "../../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../../engine/document/define-node.ts";
import { receivedReport } from "../../../engine/document/import-report.ts";
import { type AwaitedNode, awaitingReview, markForReview } from "../../../engine/document/review.ts";
import type { NodeRecord, WorkflowDocument } from "../../../engine/document/workflow-document.ts";
import { importForeign } from "../../../import/index.ts";
import type { ImportReport } from "../../../import/report.ts";
import type { SentFile } from "../../../engine/file/sent-file.ts";
import { parseCurl } from "../../../nodes/http/parse-curl.ts";
import { nodeRegistry } from "../../../nodes/index.ts";
import { documentOf, readGallery } from "../share/template-file.ts";
import { readWorkflowFile } from "./read-workflow-file.ts";

/** What the account has that a workflow may name by id. */
export interface OwnThings {
  credentials: ReadonlySet<string>;
  workflows: ReadonlySet<string>;
  collections: ReadonlySet<string>;
}

/** A node whose credential the receiver has to choose. */
export interface OpenCredential {
  nodeId: string;
  title: string;
  field: string;
  types: readonly string[];
  required: boolean;
}

/** A workflow read from outside, made safe, with everything that a person should know before taking it. */
export interface ImportFindings {
  /** Foreign ids are taken out; nodes that reach out wait for review. */
  document: WorkflowDocument;
  /** The ids of nodes for which the file has no place; see `placedDocument`. */
  unplaced: readonly string[];
  /** Files of its pinned outputs, which came along. */
  sent: readonly SentFile[];
  /** What was filled in or brought up to date. */
  notes: readonly string[];
  /** Nodes of types that are not known here; they are kept with their data and cannot run. */
  unknown: readonly NodeRecord[];
  credentials: readonly OpenCredential[];
  /** Nodes that name a workflow or a collection which this account does not have. */
  missing: readonly { nodeId: string; title: string; what: "workflow" | "collection" }[];
  review: readonly AwaitedNode[];
  /** What became of the parts of another builder's workflow; absent for the studio's own. */
  report?: ImportReport;
}

interface ReadWorkflow {
  document: WorkflowDocument;
  unplaced: readonly string[];
  sent?: readonly SentFile[];
  notes: readonly string[];
  report?: ImportReport;
}

interface Refused {
  ok: false;
  problems: readonly string[];
}

/** The studio's own file, or the workflows of another builder's, with their reports. */
function readAny(
  text: string,
  newId: () => string,
  fileName?: string,
): { ok: true; workflows: ReadWorkflow[] } | Refused {
  const shared = sharedWorkflows(text, newId);
  if (shared.length > 0) return { ok: true, workflows: shared };
  const own = readWorkflowFile(text, newId);
  const received = own.ok
    ? { ok: true as const, workflows: [{ ...own, document: withReceivedReport(own.document) }] }
    : own;
  if (own.ok && !Object.values(own.document.nodes).some(({ type }) => type.includes("n8n"))) return received;
  const foreign = importForeign(text, { registry: nodeRegistry, newId, readCurl: parseCurl, fileName });
  if (foreign.ok && foreign.workflows.length > 0)
    return { ok: true, workflows: foreign.workflows.map((one) => ({ ...one, notes: [] })) };
  if (!foreign.ok && foreign.format !== "unknown") return { ok: false, problems: [foreign.problem] };
  return received;
}

/** The workflows in the file of a template that somebody shared, or in a list of such; none for any other text. */
function sharedWorkflows(text: string, newId: () => string): ReadWorkflow[] {
  if (!text.includes('"document"')) return [];
  const gallery = readGallery(text);
  return (gallery.ok ? gallery.templates : []).flatMap((template) => {
    const document = documentOf(template, newId);
    const read = document && readWorkflowFile(JSON.stringify(document), newId);
    return read?.ok ? [{ ...read, document: withReceivedReport(read.document) }] : [];
  });
}

/** Whoever made the file may have written what its report says. */
function withReceivedReport(document: WorkflowDocument): WorkflowDocument {
  const { importReport, nodes } = document;
  return importReport ? { ...document, importReport: receivedReport(importReport, nodes) } : document;
}

type ImportResult = { ok: true; findings: ImportFindings } | Refused;

/** Reads an exported or hand-written workflow, or one of another builder. Nothing is run and nothing is requested (S33). Never throws. */
export function readImport(text: string, own: OwnThings, newId: () => string, fileName?: string): ImportResult {
  const read = readImports(text, own, newId, fileName);
  if (!read.ok) return read;
  const [first, ...others] = read.workflows;
  if (!first) return { ok: false, problems: ["The file contains no workflow."] };
  const more = `The file contains ${others.length} more; import them all on the page “Imports”.`;
  return { ok: true, findings: others.length === 0 ? first : { ...first, notes: [...first.notes, more] } };
}

/** Reads every workflow of a file, as `readImport` reads one; `fileName` names a workflow that has no name. */
export function readImports(
  text: string,
  own: OwnThings,
  newId: () => string,
  fileName?: string,
): { ok: true; workflows: ImportFindings[] } | Refused {
  const read = readAny(text, newId, fileName);
  return read.ok ? { ok: true, workflows: read.workflows.map((one) => findingsOf(one, own)) } : read;
}

function findingsOf(read: ReadWorkflow, own: OwnThings): ImportFindings {
  const credentials: OpenCredential[] = [];
  const missing: { nodeId: string; title: string; what: "workflow" | "collection" }[] = [];
  const resolved = Object.entries(read.document.nodes).map(([id, node]): [string, NodeRecord] => [
    id,
    resolve(node, nodeRegistry, own, credentials, missing),
  ]);
  const document = { ...read.document, nodes: markForReview(Object.fromEntries(resolved), nodeRegistry) };
  const unknown = Object.values(document.nodes).filter(({ type }) => definitionOf(nodeRegistry, type) === undefined);
  return {
    document,
    unplaced: read.unplaced,
    sent: read.sent ?? [],
    // The nodes themselves are listed.
    notes: read.notes.filter((note) => !unknown.some(({ type }) => note.includes(`"${type}" is not known`))),
    unknown,
    credentials,
    missing,
    review: awaitingReview(document, nodeRegistry),
    ...(read.report ? { report: read.report } : {}),
  };
}

/** Takes out ids that mean nothing in this account, and notes what has to be chosen instead. */
function resolve(
  node: NodeRecord,
  registry: NodeRegistry,
  own: OwnThings,
  credentials: OpenCredential[],
  missing: { nodeId: string; title: string; what: "workflow" | "collection" }[],
): NodeRecord {
  const definition = definitionOf(registry, node.type);
  const config = { ...node.config };
  const { id: nodeId, title } = node;
  // Of unknown types only the name of the field tells.
  const fields = definition
    ? describeFields(definition.config)
    : [{ name: "credential", control: "credential" as const, required: false, credentialTypes: [] }];
  for (const field of fields) {
    const id = config[field.name];
    const isSet = typeof id === "string" && id !== "";
    if (field.control === "credential") {
      if (isSet ? own.credentials.has(id) : !field.required) continue;
      if (isSet) config[field.name] = "";
      const { name, credentialTypes: types = [], required } = field;
      if (definition) credentials.push({ nodeId, title, field: name, types, required });
    } else if (field.control === "workflow" || field.control === "collection") {
      const have = field.control === "workflow" ? own.workflows : own.collections;
      if (isSet && !have.has(id)) missing.push({ nodeId, title, what: field.control });
    }
  }
  return { ...node, config };
}
