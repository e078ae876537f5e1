import type { EdgeRecord, NodeRecord } from "../../engine/document/workflow-document.ts";
import type { Draft } from "../draft.ts";
import type { ItemFlow } from "./item-flow.ts";
import type { ItemNames } from "./item-names.ts";
import type { Placed } from "./placed.ts";

interface Bench {
  placed: ReadonlyMap<string, Placed>;
  draft: Draft;
  flow: ItemFlow;
  items: ItemNames;
}

/** Steps that one for-each runs for each item, with what leads into them and out. */
interface Region {
  /** The one step where items from several nodes meet, of a region that begins with it. */
  head: string | undefined;
  members: ReadonlySet<string>;
  entering: EdgeRecord[];
  leaving: EdgeRecord[];
}

/**
 * Puts a for-each before steps that n8n runs once for each item. What takes all items at once follows on its “Done”, with the items
 * that would have reached it.
 */
export function repeatForItems(bench: Bench): void {
  const regions = regionsOf(bench).map((region) => ({ region, loop: loopInto(region, bench) }));
  for (const { region, loop } of regions) if (loop) leave(region, loop, bench);
  holdItems(bench);
}

/** A first node for each loop whose item is read by the name of the node that gave it. */
function holdItems({ placed, draft, items }: Bench): void {
  for (const { source, members, title } of items.held()) {
    const ids = new Set([...members].flatMap((name) => placed.get(name)?.record?.id ?? []));
    const given = placed.get(source)?.record;
    const edges = Object.values(draft.edges);
    const next = edges.filter(({ from }) => from.node === given?.id).map(({ to }) => draft.nodes[to.node]);
    const loop = [given, ...next].find(
      (one) =>
        one?.type === "for-each" &&
        edges.some(({ from, to }) => from.node === one.id && from.port === "main" && ids.has(to.node)),
    );
    if (!loop) continue;
    const at = { x: loop.position.x + 120, y: loop.position.y + 100 };
    const held = draft.add("set-fields", title, { fields: {}, keepInput: true }, at);
    for (const edge of edges)
      if (edge.from.node === loop.id && edge.from.port === "main") edge.from = { node: held.id, port: "main" };
    draft.connect(loop.id, "main", held.id, "main");
  }
}

function regionsOf({ placed, draft, flow }: Bench): Region[] {
  const members = new Set<string>();
  const known = new Set<string>();
  for (const [name, { record }] of placed) {
    if (!record) continue;
    known.add(record.id);
    if (flow.gets(name) && !flow.takesAll(name)) members.add(record.id);
  }
  const edges = Object.values(draft.edges).filter(({ to }) => to.port === "main");
  // The condition after a step whose errors go a way of their own.
  for (const { from, to } of edges)
    if (members.has(from.node) && !known.has(to.node) && draft.nodes[to.node]?.type === "if") members.add(to.node);
  const labels = labelled(members, edges);
  return [...new Set(labels.values())].map((label) => {
    const some = new Set([...members].filter((id) => labels.get(id) === label));
    return {
      head: some.has(label) ? label : undefined,
      members: some,
      entering: edges.filter(({ from, to }) => some.has(to.node) && !some.has(from.node)),
      leaving: edges.filter(({ from, to }) => some.has(from.node) && !some.has(to.node)),
    };
  });
}

/** Which for-each runs a step: that of the output which its items come from, or one of its own where they come from several. */
function labelled(members: ReadonlySet<string>, edges: readonly EdgeRecord[]): Map<string, string> {
  const labels = new Map<string, string>();
  const labelOf = (id: string): string => {
    const known = labels.get(id);
    if (known !== undefined) return known;
    labels.set(id, id);
    const into = edges.filter(({ to }) => to.node === id);
    const before = new Set(
      into.map(({ from }) => (members.has(from.node) ? labelOf(from.node) : `${from.node} ${from.port}`)),
    );
    const [only] = before;
    const label = before.size === 1 && only !== undefined ? only : id;
    labels.set(id, label);
    return label;
  };
  for (const id of members) labelOf(id);
  return labels;
}

/** The for-each of a region; a split that is one already stays. */
function loopInto({ head, entering }: Region, { draft }: Bench): NodeRecord | undefined {
  const [edge] = entering;
  const source = edge && draft.nodes[edge.from.node];
  const first = edge && draft.nodes[edge.to.node];
  if (!source || !first) return undefined;
  if (source.type === "for-each" && edge.from.port === "main" && !isChunked(source) && head === undefined)
    return source;
  const { title } = draft.reserve(`For each: ${first.title}`.slice(0, 150));
  const { x, y } = first.position;
  const items = head === undefined ? "{{items(json)}}" : "{{flatten(json.map(x, items(x)), 1)}}";
  const loop = draft.add("for-each", title, { items, concurrency: 1 }, { x: x - 150, y: y - 120 });
  if (head === undefined) {
    for (const { to } of entering) draft.connect(loop.id, "main", to.node, "main");
    for (const one of entering.slice(1)) draft.remove(one);
    edge.to = { node: loop.id, port: "main" };
    return loop;
  }
  const reserved = draft.reserve(`Inputs of ${first.title}`.slice(0, 150));
  const merge = draft.add("merge", reserved.title, { mode: "all", combine: "list" }, { x: x - 240, y: y - 120 });
  for (const one of entering) one.to = { node: merge.id, port: "main" };
  draft.connect(merge.id, "main", loop.id, "main");
  draft.connect(loop.id, "main", first.id, "main");
  return loop;
}

const isChunked = ({ config }: NodeRecord) => String(config.items).includes("chunk(");

/** Steps that may send an item one way or another, or nowhere. */
const parting = new Set(["if", "switch", "repeat", "stop", "approval", "for-each"]);

function leave(region: Region, loop: NodeRecord, bench: Bench): void {
  const straight = isStraight(region, bench.draft);
  const ends = new Map<string, NodeRecord>();
  for (const exits of exitsOf(region, bench)) {
    const [edge, ...others] = exits;
    const after = edge && bench.draft.nodes[edge.to.node];
    if (!after) continue;
    const key = exits.map(({ from }) => `${from.node} ${from.port}`).join();
    const giver = straight ? loop : (ends.get(key) ?? picker(exits, after, loop, bench));
    ends.set(key, giver);
    // In the place of the edge that was there: a merge tells its inputs apart by their order.
    edge.from = { node: giver.id, port: straight ? "done" : "main" };
    for (const other of others) bench.draft.remove(other);
  }
}

/** The edges that lead out, by where to; a merge gets each by itself. */
function exitsOf({ leaving }: Region, { draft }: Bench): EdgeRecord[][] {
  const groups = new Map<string, EdgeRecord[]>();
  for (const edge of leaving) {
    const key = draft.nodes[edge.to.node]?.type === "merge" ? edge.id : edge.to.node;
    groups.set(key, [...(groups.get(key) ?? []), edge]);
  }
  return [...groups.values()];
}

/** Marks the items that come to an end, and finds them again in what the loop gives. */
function picker(exits: readonly EdgeRecord[], after: NodeRecord, loop: NodeRecord, { draft }: Bench): NodeRecord {
  const { x, y } = after.position;
  const { title: key } = draft.reserve(`To ${after.title}`.slice(0, 150));
  const config = { fields: { [key]: "{{json}}" }, keepInput: false };
  const mark = draft.add("set-fields", key, config, { x: x - 180, y: y - 120 });
  for (const { from } of exits)
    if (!draft.hasEdge(from.node, from.port, mark.id, "main")) draft.connect(from.node, from.port, mark.id, "main");
  const { title } = draft.reserve(`Items for ${after.title}`.slice(0, 150));
  const pick = draft.add("code", title, { code: pickCode, inputs: { key } }, { x: x - 90, y: y - 60 });
  draft.connect(loop.id, "done", pick.id, "main");
  return pick;
}

/** The items that came to the end which is marked with the key; an item may have come to several ends. */
const pickCode = `const found = [];
const look = (value, deep) => {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return;
  if (key in value) found.push(value[key]);
  else if (deep) for (const inner of Object.values(value)) look(inner, false);
};
for (const one of json) look(one, true);
return found;`;

/** Whether each item comes out at one and the same end. */
function isStraight({ members, leaving }: Region, draft: Draft): boolean {
  const ends = new Set(leaving.map(({ from }) => `${from.node} ${from.port}`));
  const goOn = new Set(Object.values(draft.edges).flatMap(({ from, to }) => (to.port === "main" ? [from.node] : [])));
  return ends.size === 1 && [...members].every((id) => goOn.has(id) && !parting.has(draft.nodes[id]?.type ?? ""));
}
