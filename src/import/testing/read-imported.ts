import type { NodeRegistry } from "../../engine/document/define-node.ts";
import { importForeign, type ImportedWorkflow } from "../index.ts";

/** Imports one workflow, for tests: its parts by their titles. Throws where it cannot be imported. */
export function readImported(source: unknown, registry: NodeRegistry) {
  const text = typeof source === "string" ? source : JSON.stringify(source);
  const imported = importForeign(text, { registry, newId: () => "new-id" });
  if (!imported.ok) throw new Error(imported.problem);
  const [first] = imported.workflows;
  if (!first) throw new Error("no workflow");
  return { ...partsOf(first), format: imported.format };
}

function partsOf({ document, report }: ImportedWorkflow) {
  const title = (id: string) => document.nodes[id]?.title ?? id;
  return {
    document,
    report,
    node: (wanted: string) => Object.values(document.nodes).find((one) => one.title === wanted),
    edges: Object.values(document.edges).map(
      ({ from, to }) => `${title(from.node)}.${from.port} > ${title(to.node)}.${to.port}`,
    ),
    entry: (name: string) => report.entries.find((one) => one.about === "node" && one.node === name),
  };
}
