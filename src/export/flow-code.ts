import { definitionOf, portOf } from "../engine/document/can-connect.ts";
import type { EdgeRecord, NodeRecord } from "../engine/document/workflow-document.ts";
import { commentText } from "./code-file.ts";
import { configOf, edgesAt, type ExportWork, placeOf } from "./exported-node.ts";
import { branching } from "./node-code.ts";
import { keyCode, valueCode } from "./template-code.ts";

/** A stretch of the flow: all of it, or what follows once per item of a list. */
interface Stretch {
  ids: readonly string[];
  /** The TypeScript of what comes along an edge from outside the stretch; undefined where nothing does. */
  entry(edge: EdgeRecord): string | undefined;
}

/** The steps of the whole flow as the body of `run`, from its triggers on. */
export function flowCode(work: ExportWork): string {
  const ids = flowOrder(work);
  const inner = new Set(ids.filter((id) => hasBranch(work, id)).flatMap((id) => [...bodyOf(work, id)]));
  return stretchCode(work, { ids: ids.filter((id) => !inner.has(id)), entry: () => undefined });
}

/** The steps that follow a “For each” once per item, or a “Repeat until” once per turn, as the body of a function. */
export function itemsCode(work: ExportWork, forEach: string): string {
  const body = bodyOf(work, forEach);
  const nested = new Set([...body].filter((id) => hasBranch(work, id)).flatMap((id) => [...bodyOf(work, id)]));
  const ids = flowOrder(work).filter((id) => body.has(id) && !nested.has(id));
  const entry = ({ from }: EdgeRecord) => (from.node === forEach ? "json" : undefined);
  return stretchCode(work, { ids, entry });
}

/** Nodes with a branch of their own, which is a function of the program. */
export const branchTypes: ReadonlySet<string> = new Set(["for-each", "repeat"]);

const hasBranch = ({ document }: ExportWork, id: string) => branchTypes.has(document.nodes[id]?.type ?? "");

/** What a “For each” does with each item: all that follows its output for items. */
function bodyOf(work: ExportWork, forEach: string): Set<string> {
  const found = new Set<string>();
  const open = edgesAt(work, "from", forEach, "main").map(({ to }) => to.node);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...mainEdges(work, id, "from").map(({ to }) => to.node));
  }
  return found;
}

/** Edges of the main flow at one end of a node. */
function mainEdges(work: ExportWork, id: string, end: "from" | "to"): EdgeRecord[] {
  return edgesAt(work, end, id).filter(({ from }) => {
    const source = work.document.nodes[from.node];
    const definition = source && definitionOf(work.registry, source.type);
    return definition !== undefined && portOf(definition.outputs, from.port)?.kind === "main";
  });
}

/** The nodes of the flow that a trigger reaches, each after all that leads to it. */
export function flowOrder(work: ExportWork): string[] {
  const { document, registry } = work;
  const triggers = Object.values(document.nodes).filter(
    (node) => definitionOf(registry, node.type)?.role === "trigger" && node.disabled !== true,
  );
  const order: string[] = [];
  const seen = new Set<string>();
  const visit = (id: string) => {
    if (seen.has(id)) return;
    seen.add(id);
    for (const { to } of mainEdges(work, id, "from")) visit(to.node);
    order.unshift(id);
  };
  for (const { id } of triggers.toReversed()) visit(id);
  return order;
}

function stretchCode(work: ExportWork, stretch: Stretch): string {
  const { document, file, slugs } = work;
  const own = new Set(stretch.ids);
  const outputs = new Map<string, string>();
  // Steps that every run takes, which need no look at what came along.
  const certain = new Set<string>();
  const lines: string[] = [];
  const triggers = stretch.ids.filter((id) => roleOf(work, id) === "trigger");
  for (const id of stretch.ids) {
    const node = document.nodes[id];
    if (node === undefined) continue;
    const output = file.name(`${slugs.get(id) ?? id} output`);
    outputs.set(id, output);
    const slug = keyCode(slugs.get(id) ?? id);
    const member =
      slug.startsWith('"') || slug.startsWith("[") ? `nodes[${slug.replace(/^\[|\]$/g, "")}]` : `nodes.${slug}`;
    const title = `  // ${commentText(node.title)}`;
    if (roleOf(work, id) === "trigger") {
      const isChosen =
        triggers.length > 1
          ? `(options.trigger ?? ${JSON.stringify(slugs.get(triggers[0] ?? ""))}) === ${JSON.stringify(slugs.get(id))} ? input : undefined`
          : "input";
      if (triggers.length === 1) certain.add(id);
      lines.push(`${title}\n  const ${output}: Json = ${isChosen};`, `  ${member} = ${output};`);
      continue;
    }
    const edges = mainEdges(work, id, "to").filter(
      (edge) => own.has(edge.from.node) || stretch.entry(edge) !== undefined,
    );
    const incoming = edges.map((edge) => stretch.entry(edge) ?? sourceCode(work, edge, outputs));
    const isCertain =
      edges.length === 1 && edges.every((edge) => certain.has(edge.from.node) || stretch.entry(edge) !== undefined);
    if (isCertain && node.disabled !== true && !branching.has(node.type)) certain.add(id);
    lines.push(`${title}\n${stepCode(work, node, { output, member, incoming, isCertain })}`);
  }
  const ends = stretch.ids.filter((id) => mainEdges(work, id, "from").every(({ to }) => !own.has(to.node)));
  const results = ends.map((id) => outputs.get(id) ?? "undefined");
  const [only, ...others] = results;
  const result =
    only === undefined ? "undefined" : others.length === 0 ? only : `${file.helper("lastOf")}(${results.join(", ")})`;
  return `${lines.join("\n")}\n  return ${result};`;
}

const roleOf = ({ document, registry }: ExportWork, id: string) =>
  definitionOf(registry, document.nodes[id]?.type ?? "")?.role;

/** What comes along an edge: undefined at run time where the branch was not taken. */
function sourceCode({ document }: ExportWork, { from }: EdgeRecord, outputs: ReadonlyMap<string, string>): string {
  const output = outputs.get(from.node) ?? "undefined";
  const type = document.nodes[from.node]?.type ?? "";
  return branching.has(type) && document.nodes[from.node]?.disabled !== true ? `${output}?.${from.port}` : output;
}

interface Step {
  output: string;
  /** Where expressions find its output. */
  member: string;
  /** What comes along each of its edges. */
  incoming: readonly string[];
  /** Every run takes it. */
  isCertain: boolean;
}

function stepCode(work: ExportWork, node: NodeRecord, step: Step): string {
  const { output, member, incoming, isCertain } = step;
  const { file } = work;
  if (node.type === "merge") return mergeCode(work, node, step);
  const input =
    incoming.length === 1 ? (incoming[0] ?? "undefined") : `${file.helper("firstOf")}(${incoming.join(", ")})`;
  // As expressions see it: of a node with several outputs, an object with those that were taken.
  const kept = branchTypes.has(node.type) ? `{ done: ${output} }` : output;
  if (node.disabled === true) {
    return `  const ${output}: Json = ${node.stops === true ? "undefined" : input};\n  ${member} = ${output};`;
  }
  if (isCertain && !branchTypes.has(node.type)) {
    return `  const ${output} = await ${work.functions.get(node.id)}(${input}, scope);\n  ${member} = ${output};`;
  }
  const call = callCode(work, node);
  return `  let ${output}: Json;
  {
    const json: Json = ${input};
    if (json !== undefined) {
      ${output} = ${call};
      ${member} = ${kept};
    }
  }`;
}

function callCode(work: ExportWork, node: NodeRecord): string {
  const name = work.functions.get(node.id);
  if (node.type === "repeat") return repeatCode(work, node, name ?? "");
  if (node.type !== "for-each") return `await ${name}(json, scope)`;
  const { items, concurrency } = configOf(work, node);
  const list = valueCode(items ?? "{{json}}", placeOf(work, node));
  return `await ${work.file.helper("eachItem")}(${list}, ${Number(concurrency ?? 4)}, (item) => ${name}(item, { ...scope, nodes: { ...nodes } }))`;
}

function repeatCode(work: ExportWork, node: NodeRecord, name: string): string {
  const { until, asked, mostTurns, atLimit } = configOf(work, node);
  const condition = `(json: Json) => String(${valueCode(until ?? "", placeOf(work, node))}) === "true"`;
  const limits = `{ before: ${asked === "before"}, mostTurns: ${Number(mostTurns ?? 10)}, mayEnd: ${atLimit !== "fail"} }`;
  return `await ${work.file.helper("repeatUntil")}(json, ${condition}, ${limits}, (turn) => ${name}(turn, { ...scope, nodes: { ...nodes } }))`;
}

function mergeCode(work: ExportWork, node: NodeRecord, { output, member, incoming }: Step): string {
  const { mode, combine } = configOf(work, node);
  const taken = `[${incoming.join(", ")}].filter((value) => value !== undefined)`;
  const arrived = `${output}Inputs`;
  const value =
    mode === "first" ? `${arrived}[0]` : combine === "object" ? `Object.assign({}, ...${arrived})` : arrived;
  return `  const ${arrived}: Json[] = ${taken};
  const ${output}: Json = ${arrived}.length === 0 ? undefined : ${value};
  ${member} = ${output};`;
}
