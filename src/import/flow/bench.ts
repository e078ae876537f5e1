import type { Json } from "../../engine/json.ts";
import type { Draft } from "../draft.ts";
import { isName, quoted } from "../expressions/piece.ts";
import type { ReportNotes } from "../report.ts";
import type { FlowGraph, FlowNode } from "./flow-graph.ts";

/** What nodes are read with: the whole graph, and the names that they have here. */
export interface Bench {
  graph: FlowGraph;
  draft: Draft;
  notes: ReportNotes;
  /** Titles and slugs by the other builder's id. */
  names: ReadonlyMap<string, { title: string; slug: string }>;
  nodes: ReadonlyMap<string, FlowNode>;
}

/** A CEL path whose every step may be missing: `nodes.?search.?body`. */
export function optionalPath(root: string, keys: readonly string[]): string {
  return keys.reduce((code, key) => {
    if (/^\d{1,9}$/.test(key)) return `${code}[?${key}]`;
    return isName(key) ? `${code}.?${key}` : `${code}[?${quoted(key)}]`;
  }, root);
}

/** A value that expressions can read: CEL, and whether it may have no value. */
export interface Read {
  code: string;
  optional: boolean;
}

/** What a node gives, below these keys; undefined when there is no such node. */
export function outputOf(bench: Bench, id: string, keys: readonly string[]): Read | undefined {
  const slug = bench.names.get(id)?.slug;
  return slug === undefined ? undefined : { code: optionalPath("nodes", [slug, ...keys]), optional: true };
}

/** CEL that gives null where the value is missing. */
export function valueOf(read: Read): string {
  return read.optional ? `${read.code}.orValue(null)` : read.code;
}

/** CEL that gives the first value that is there. */
export function firstOf(reads: readonly string[]): string {
  if (reads.length === 0) return "null";
  if (reads.length === 1) return reads[0] ?? "null";
  const [head, rest] = [reads.slice(0, 7), reads.slice(7)];
  return `coalesce(${[...head, ...(rest.length > 0 ? [firstOf(rest)] : [])].join(", ")})`;
}

/** A JSON value as CEL. */
export function literal(value: Json): string {
  if (typeof value === "string") return quoted(value);
  return JSON.stringify(value);
}

/** Text that templates leave as it is. */
export function plainText(text: string): string {
  return text.replaceAll("{{", '{{"{{"}}');
}
