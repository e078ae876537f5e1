import { type KeptReport, mostKeptEntries } from "../../engine/document/import-report.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { shownAmong } from "../editing/group-members.ts";
import { insertPart } from "../editing/insert-part.ts";
import { nodeGeometry } from "../editing/node-geometry.ts";
import { definitionOf } from "../../engine/document/can-connect.ts";
import type { CommandContext } from "./command.ts";

/** Canvas pixels between what is there and what comes. */
const gap = 96;

/**
 * Adds the nodes of an imported workflow under those of the open one, as one undo step, and selects them. Variables that
 * are not there yet come along; gives back how many nodes came and the names of variables that were there already.
 */
export function addImported(context: CommandContext, imported: WorkflowDocument): { nodes: number; vars: string[] } {
  const store = context.document.getState();
  const placed = Object.values(store.document.nodes);
  const bottoms = placed.map(
    ({ type, position }) => position.y + nodeGeometry(definitionOf(context.registry, type)).height,
  );
  const at = placed.length === 0 ? { x: 0, y: 0 } : { x: leftOf(placed), y: Math.max(...bottoms) + gap };
  let ids = new Map<string, string>();
  const vars: string[] = [];
  store.edit(`Import ${imported.name}`, (document) => {
    ids = insertPart(document, imported, { at }, context.newId);
    for (const [name, value] of Object.entries(imported.vars ?? {})) {
      if (document.vars && Object.hasOwn(document.vars, name)) vars.push(name);
      else document.vars = { ...document.vars, [name]: value };
    }
    const report = joinedReport(document.importReport, imported.importReport, ids);
    if (report) document.importReport = report;
  });
  context.canvas.getState().select(shownAmong(context.document.getState().document.nodes, [...ids.values()]));
  return { nodes: ids.size, vars };
}

/** What is to be done about the added nodes, under their new ids, besides what was still to be done before. */
function joinedReport(
  before: KeptReport | undefined,
  added: KeptReport | undefined,
  ids: ReadonlyMap<string, string>,
): KeptReport | undefined {
  if (!added) return before;
  const entries = added.entries.map(({ nodeId, ...entry }) => {
    const id = nodeId === undefined ? undefined : ids.get(nodeId);
    return { ...entry, ...(id === undefined ? {} : { nodeId: id }) };
  });
  if (!before) return { ...added, entries };
  const all = [...before.entries, ...entries];
  const more = (before.more ?? 0) + (added.more ?? 0) + Math.max(0, all.length - mostKeptEntries);
  return {
    format: before.format,
    ...(before.received || added.received ? { received: true } : {}),
    nodes: summed(before.nodes, added.nodes),
    edges: summed(before.edges, added.edges),
    expressions: summed(before.expressions, added.expressions),
    entries: all.slice(0, mostKeptEntries),
    ...(more > 0 ? { more } : {}),
  };
}

function summed<Counts extends Record<string, number>>(one: Counts, other: Counts): Counts {
  const sums = Object.entries(one).map(([name, count]) => [name, count + (other[name] ?? 0)]);
  return Object.fromEntries(sums) as Counts;
}

function leftOf(nodes: readonly { position: { x: number } }[]): number {
  return Math.min(...nodes.map(({ position }) => position.x));
}
