import type { Placed } from "./placed.ts";
import type { N8nEdge, N8nWorkflow } from "./read-n8n.ts";

/** A loop that an If closes or opens, for which a “Repeat until” can stand in the If's place. */
export interface IfLoop {
  /** The If. */
  name: string;
  /** Of the If: the output that goes on with the loop. */
  output: number;
  /** Whether the condition is asked before each turn. */
  asked: "before" | "after";
  /** Edges that lead into the loop, and into the If's counterpart now. */
  entering: ReadonlySet<N8nEdge>;
  /** The end of a turn, which leads back by itself. */
  ending: N8nEdge;
}

interface Bench {
  workflow: N8nWorkflow;
  placed: ReadonlyMap<string, Placed>;
}

const mostTurns = 1_000;
/** They go one of several ways, of which some may lead nowhere, or are loops themselves. */
const parting = new Set(["switch", "for-each", "repeat"]);

/**
 * Finds the loops among edges that lead back. One is a loop of an If where its nodes are entered at one place and left at the If alone,
 * so that a turn begins with the value that the one before gave. A loop whose nodes are read elsewhere, or whose condition reads other
 * nodes, stays as it is: what happens inside a turn cannot be seen from outside.
 */
export function ifLoops(bench: Bench, cycles: ReadonlySet<N8nEdge>): Map<N8nEdge, IfLoop> {
  const found = new Map<N8nEdge, IfLoop>();
  const taken = new Set<string>();
  for (const back of cycles) {
    const others = [...cycles].filter((one) => one !== back);
    const loop = closedBy(back, bench) ?? openedBy(back, bench);
    if (!loop) continue;
    const all = [loop.name, ...loop.body];
    if (all.some((name) => taken.has(name)) || others.some(({ from, to }) => all.includes(from) || all.includes(to)))
      continue;
    if (!isClosedToReaders(loop, bench)) continue;
    for (const name of all) taken.add(name);
    found.set(back, loop);
  }
  return found;
}

type Candidate = IfLoop & { body: ReadonlySet<string> };

/** The If is the last node of the loop: back to its first one, or on. */
function closedBy(back: N8nEdge, bench: Bench): Candidate | undefined {
  const { from: name, to: entry, fromIndex: output } = back;
  if (!isPlainIf(name, bench) || entry === name) return undefined;
  const main = mainEdges(bench);
  const body = reached([entry], name, main);
  const entering = main.filter((edge) => edge.to === entry && edge !== back);
  const going = main.filter((edge) => edge.from === name && edge.fromIndex === output);
  const ending = endOf(name, body, main);
  if (going.length !== 1 || !ending || entering.some((edge) => body.has(edge.from))) return undefined;
  const isEntered = main.some((edge) => body.has(edge.to) && edge.to !== entry && !body.has(edge.from));
  if (isEntered || main.some((edge) => edge.to === name && edge !== ending)) return undefined;
  if (!isLeftAt(name, output, body, main) || !isWhole(body, ending, bench)) return undefined;
  return { name, output, asked: "after", entering: new Set(entering), ending, body };
}

/** The If is the first node of the loop: into it, or past it. */
function openedBy(back: N8nEdge, bench: Bench): Candidate | undefined {
  const { to: name } = back;
  if (!isPlainIf(name, bench)) return undefined;
  const main = mainEdges(bench);
  const next = (index: number) => main.filter((edge) => edge.from === name && edge.fromIndex === index);
  const output = [0, 1].find((index) =>
    reached(
      next(index).map(({ to }) => to),
      name,
      main,
    ).has(back.from),
  );
  if (output === undefined) return undefined;
  const body = reached(
    next(output).map(({ to }) => to),
    name,
    main,
  );
  const ending = endOf(name, body, main);
  const isEntered = main.some((edge) => body.has(edge.to) && !body.has(edge.from) && edge.from !== name);
  if (ending !== back || isEntered || !isLeftAt(name, output, body, main) || !isWhole(body, ending, bench))
    return undefined;
  return { name, output, asked: "before", entering: new Set(), ending, body };
}

function mainEdges({ workflow }: Bench): N8nEdge[] {
  return workflow.edges.filter(({ kind }) => kind === "main");
}

/** All nodes after these, not counting what comes after `until`. */
function reached(starts: readonly string[], until: string, main: readonly N8nEdge[]): Set<string> {
  const found = new Set(starts.filter((name) => name !== until));
  for (const name of found) for (const edge of main) if (edge.from === name && edge.to !== until) found.add(edge.to);
  return found;
}

/** The one edge from the body to the If. */
function endOf(name: string, body: ReadonlySet<string>, main: readonly N8nEdge[]): N8nEdge | undefined {
  const [ending, ...more] = main.filter((edge) => edge.to === name && body.has(edge.from));
  return more.length === 0 ? ending : undefined;
}

/** Whether the other output of the If leads out of the loop, and nothing else does. */
function isLeftAt(name: string, output: number, body: ReadonlySet<string>, main: readonly N8nEdge[]): boolean {
  return main.every((edge) => {
    if (edge.from === name && edge.fromIndex !== output) return !body.has(edge.to) && edge.to !== name;
    return !body.has(edge.from) || body.has(edge.to) || edge.to === name;
  });
}

/** Whether a turn always comes to its end there: what ended earlier would end n8n's loop, but only the turn here. */
function isWhole(body: ReadonlySet<string>, ending: N8nEdge, bench: Bench): boolean {
  const main = mainEdges(bench);
  if (bench.placed.get(ending.from)?.record?.type === "if") return false;
  return [...body].every((name) => {
    const found = bench.placed.get(name);
    const outputs = new Set(main.filter(({ from }) => from === name).map(({ fromIndex }) => fromIndex));
    if (!found?.record || found.node.hasErrorOutput) return false;
    const { record } = found;
    if (parting.has(record.type) || record.type.endsWith("-trigger")) return false;
    return record.type === "if" ? outputs.has(0) && outputs.has(1) : outputs.size > 0;
  });
}

function isPlainIf(name: string, { placed }: Bench): boolean {
  const found = placed.get(name);
  if (found?.node.type !== "if" || found.record?.type !== "if") return false;
  const { node, record, made, work } = found;
  const { condition, onError } = record.config;
  const isPlain = node.hasErrorOutput !== true && record.disabled !== true && onError !== "continue";
  // Only what is one expression over its own input can be asked between turns.
  const isExpression =
    typeof condition === "string" && /^\{\{[^]+\}\}$/.test(condition) && !/\}\}[^]*\{\{/.test(condition);
  return (
    isPlain && made.outcome === undefined && work.computed.length === 0 && isExpression && !/\bnodes\b/.test(condition)
  );
}

/** Whether nobody reads a node of the loop from outside of its turn. */
function isClosedToReaders({ name, body }: Candidate, { workflow, placed }: Bench): boolean {
  const main = mainEdges({ workflow, placed });
  for (const read of [name, ...body]) {
    const after = read === name ? new Set<string>() : reached([read], name, main);
    for (const [reader, { node }] of placed) {
      if (!reads(node.parameters.raw, read)) continue;
      // A node that serves an agent reads for that agent.
      const users = workflow.edges.filter(({ from, kind }) => from === reader && kind !== "main").map(({ to }) => to);
      const readers = users.length > 0 ? users : [reader];
      if (readers.some((one) => one === read || !body.has(one) || !after.has(one))) return false;
    }
  }
  return true;
}

/** Whether a node's parameters name another one, in whatever way n8n has for it. */
function reads(parameters: unknown, name: string): boolean {
  const text = JSON.stringify(parameters) ?? "";
  const quoted = JSON.stringify(JSON.stringify(name).slice(1, -1)).slice(1, -1);
  return [`'${name}'`, `"${quoted}"`, `\\"${quoted}\\"`, `\`${name}\``, `$node.${name}`].some((way) =>
    text.includes(way),
  );
}

/** Makes the If's counterpart the loop's. */
export function repeatInstead({ name, output, asked }: IfLoop, { placed }: Bench): void {
  const loop = placed.get(name);
  const condition = String(loop?.record?.config["condition"] ?? "").slice(2, -2);
  if (!loop?.record) return;
  loop.record.type = "repeat";
  loop.record.config = {
    until: output === 0 ? `{{!(${condition})}}` : `{{${condition}}}`,
    asked,
    mostTurns,
    atLimit: "fail",
    onError: "fail",
  };
  loop.made = {
    ...loop.made,
    type: "repeat",
    output: (_kind, index) => (index === output ? "main" : "done"),
  };
}
