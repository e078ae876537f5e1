import { canonicalJson } from "../../engine/canonical-json.ts";
import { definitionOf, portOf } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import { mentionedNames } from "../../engine/document/node-references.ts";
import { nodeSlugs } from "../../engine/document/slug.ts";
import type { Endpoint, NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Json } from "../../engine/json.ts";

/** Thrown within this file alone: both sides changed the same thing, or what they changed does not go together. */
class Unmergeable extends Error {}

/** The same part of three documents; undefined where it is absent. */
interface Three<Part> {
  base: Part | undefined;
  mine: Part | undefined;
  theirs: Part | undefined;
}

/**
 * What two people made of one document, joined: each side's changes where only that side made any, field by field. Undefined
 * where both changed the same field, one deleted what the other changed, or the result would not hold together.
 */
export function mergeDocuments(
  { base, mine, theirs }: Record<keyof Three<unknown>, WorkflowDocument>,
  registry: NodeRegistry,
): WorkflowDocument | undefined {
  try {
    const merged = mergeRecords<unknown>(
      { base: { ...base }, mine: { ...mine }, theirs: { ...theirs } },
      (part, key) => {
        switch (key) {
          case "nodes":
            return mergeRecords(part as Three<Record<string, NodeRecord>>, mergeNodes);
          case "edges":
          case "vars":
            return mergeRecords(part as Three<Record<string, Json>>, onlyOne);
          // What was ticked off in it is nothing to ask about.
          case "importReport":
            return same(part.base, part.mine) ? part.theirs : part.mine;
          default:
            return onlyOne(part);
        }
      },
    ) as WorkflowDocument;
    holdsTogether(merged, { base, mine, theirs }, registry);
    return merged;
  } catch (error) {
    if (error instanceof Unmergeable) return undefined;
    throw error;
  }
}

function same(one: unknown, other: unknown): boolean {
  return one === other || canonicalJson((one ?? null) as Json) === canonicalJson((other ?? null) as Json);
}

/** What one side alone changed, or both in the same way. */
function onlyOne<Part>({ base, mine, theirs }: Three<Part>): Part | undefined {
  if (same(mine, theirs) || same(base, theirs)) return mine;
  if (same(base, mine)) return theirs;
  throw new Unmergeable();
}

/** Key by key; a record that is absent everywhere stays so. */
function mergeRecords<Part>(
  { base = {}, mine = {}, theirs = {} }: Three<Record<string, Part>>,
  merge: (part: Three<Part>, key: string) => Part | undefined,
): Record<string, Part> {
  const merged: Record<string, Part> = {};
  for (const key of new Set([...Object.keys(base), ...Object.keys(theirs), ...Object.keys(mine)])) {
    const part = merge({ base: base[key], mine: mine[key], theirs: theirs[key] }, key);
    if (part !== undefined) merged[key] = part;
  }
  return merged;
}

function mergeNodes(node: Three<NodeRecord>): NodeRecord | undefined {
  const { base, mine, theirs } = node;
  if (!base || !mine || !theirs || base.type !== mine.type || base.type !== theirs.type) return onlyOne(node);
  const merged = mergeRecords<unknown>({ base: { ...base }, mine: { ...mine }, theirs: { ...theirs } }, (part, key) => {
    if (key === "config") return mergeRecords(part as Three<Record<string, Json>>, onlyOne);
    // Where a card lies is nothing to ask about.
    return key === "position" && !same(part.base, part.mine) ? part.mine : onlyOne(part);
  });
  return merged as NodeRecord;
}

/** Throws where parts that are each in order do not go together. */
function holdsTogether(
  merged: WorkflowDocument,
  { base, mine, theirs }: Record<keyof Three<unknown>, WorkflowDocument>,
  registry: NodeRegistry,
): void {
  const used = new Map<string, number>();
  const take = ({ node, port }: Endpoint, ports: "inputs" | "outputs"): void => {
    const record = merged.nodes[node];
    if (record === undefined) throw new Unmergeable();
    const definition = definitionOf(registry, record.type);
    const max = definition && portOf(definition[ports], port)?.max;
    const name = JSON.stringify([ports, node, port]);
    const count = (used.get(name) ?? 0) + 1;
    used.set(name, count);
    if (typeof max === "number" && count > max) throw new Unmergeable();
  };
  for (const { from, to } of Object.values(merged.edges)) {
    take(from, "outputs");
    take(to, "inputs");
  }
  const titles = Object.values(merged.nodes).map(({ title }) => title);
  if (new Set(titles).size < titles.length) throw new Unmergeable();
  // What a node is called on the side that it comes from, it is called in the whole.
  const names = { base: nodeSlugs(base), mine: nodeSlugs(mine), theirs: nodeSlugs(theirs) };
  for (const [id, name] of nodeSlugs(merged))
    if (name !== names.mine.get(id) && name !== names.theirs.get(id)) throw new Unmergeable();
  for (const [renamed, other] of [
    [names.mine, theirs],
    [names.theirs, mine],
  ] as const) {
    const written = Object.entries(other.nodes).filter(([id, { config }]) => !same(config, base.nodes[id]?.config));
    const mentioned = mentionedNames({ nodes: Object.fromEntries(written) });
    const text = written.map(([, { config }]) => JSON.stringify(config)).join("\n");
    for (const [id, name] of names.base) {
      const now = renamed.get(id);
      if (now === undefined || now === name) continue;
      if (mentioned.has(name) || text.includes(base.nodes[id]?.title ?? name)) throw new Unmergeable();
    }
  }
}
