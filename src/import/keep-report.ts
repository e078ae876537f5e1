import { describeFields } from "../engine/config/describe-fields.ts";
import { definitionOf } from "../engine/document/can-connect.ts";
import type { NodeRegistry } from "../engine/document/define-node.ts";
import { type KeptEntry, type KeptReport, mostKeptEntries, readKeptReport } from "../engine/document/import-report.ts";
import { cleanText } from "../engine/document/typed-secrets.ts";
import type { WorkflowDocument } from "../engine/document/workflow-document.ts";
import { type ImportReport, type ReportEntry, toldOnce } from "./report.ts";

/** What has to be done comes first, so that it is kept where there is too much. */
const rank: Readonly<Record<KeptEntry["outcome"], number>> = {
  placeholder: 0,
  needsCredential: 1,
  approximated: 2,
};

/** The part of a report that stays with the workflow: its counts, and what was not simply taken over. */
export function keepReport(
  report: ImportReport,
  { format, document, registry }: { format: KeptReport["format"]; document: WorkflowDocument; registry: NodeRegistry },
): KeptReport | undefined {
  const told = toldOnce(report.entries);
  const withNode = new Map(told.flatMap((entry) => (entry.nodeId === undefined ? [] : [[entry.node, entry]])));
  const entries = told.flatMap((entry) => toKept(entry, withNode, document, registry));
  const sorted = entries.toSorted((one, other) => rank[one.outcome] - rank[other.outcome]);
  const more = sorted.length - mostKeptEntries;
  return readKeptReport(
    JSON.parse(
      JSON.stringify({
        ...report,
        format,
        entries: sorted.slice(0, mostKeptEntries),
        ...(more > 0 ? { more } : {}),
      }),
    ),
  );
}

function toKept(
  { about, node, sourceType, outcome, note, nodeId }: ReportEntry,
  withNode: ReadonlyMap<string, ReportEntry>,
  document: WorkflowDocument,
  registry: NodeRegistry,
): KeptEntry[] {
  if (outcome === "mapped" || outcome === "dropped" || (note === "" && outcome === "approximated")) return [];
  const known = nodeId ?? withNode.get(node)?.nodeId ?? idByTitle(node, document);
  const kept = { about, node: cleanText(node), sourceType, outcome, note };
  if (outcome !== "needsCredential" || known === undefined) return [{ ...kept, ...(known ? { nodeId: known } : {}) }];
  const [at = known] = needing(known, document, registry);
  return [{ ...kept, nodeId: at }];
}

const idByTitle = (title: string, { nodes }: WorkflowDocument) =>
  Object.values(nodes).find((node) => node.title === title)?.id;

/** The nodes where a credential is missing: the node itself, or the models, memories and tools that it uses. */
function needing(nodeId: string, { nodes, edges }: WorkflowDocument, registry: NodeRegistry): string[] {
  const users = Object.values(edges).filter(({ to }) => to.node === nodeId && to.port !== "main");
  return [nodeId, ...users.map(({ from }) => from.node)].filter((id) => {
    const node = nodes[id];
    const definition = node && definitionOf(registry, node.type);
    const hasField = definition && describeFields(definition.config).some(({ control }) => control === "credential");
    return hasField === true && (node?.config.credential ?? "") === "";
  });
}
