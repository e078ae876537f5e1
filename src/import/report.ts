import { looksSecret, removedMark } from "../engine/document/typed-secrets.ts";
import { isJsonObject } from "../engine/json.ts";
import { visibleName } from "../engine/text/visible-name.ts";
import { type Leaf, pathOf, type Reason } from "./parameters.ts";

/** What became of one thing that was imported. */
export type Outcome = "mapped" | "approximated" | "needsCredential" | "placeholder";

/** What became of a part of it; what is dropped has no effect here, or had none there. */
type PartOutcome = Outcome | "dropped";

/** One thing of the imported file: what it was, what it is here, and what a person has to know. */
export interface ReportEntry {
  about: "node" | "edge" | "expression" | "credential" | "setting";
  /** The node's name in the file; of an edge, both ends. */
  node: string;
  sourceType: string;
  /** The node type here; null where nothing stands for it. */
  targetType: string | null;
  outcome: PartOutcome;
  note: string;
  /** The node in the imported workflow, to show it on the canvas. */
  nodeId?: string;
}

/** Everything that an import found, named once each. */
export interface ImportReport {
  format: string;
  nodes: { total: number; mapped: number; approximated: number; needsCredential: number; placeholder: number };
  edges: { total: number; mapped: number; reported: number };
  expressions: { total: number; cel: number; code: number; unsupported: number };
  entries: ReportEntry[];
}

/** A key that was written into the file says where, so that it is told apart from the credential of its node. */
export const takenOut = "A key or token was written here and was taken out: keep it in a credential.";

/**
 * The entries of a report to show, where each missing credential is named once: with the node that needs it. No text of the file
 * turns what stands beside it.
 */
export function toldOnce(entries: readonly ReportEntry[]): ReportEntry[] {
  const needy = entries.filter(({ about, outcome }) => about === "node" && outcome === "needsCredential");
  const joined = new Map(needy.map((entry) => [entry.node, { ...entry }]));
  const rest = entries.filter(({ about, node, note }) => {
    const own = about === "credential" && note !== takenOut ? joined.get(node) : undefined;
    if (own && !own.note.includes(note)) own.note = `${own.note} ${note}`;
    return own === undefined;
  });
  return rest
    .map((entry) => (needy.includes(entry) ? (joined.get(entry.node) ?? entry) : entry))
    .map((entry) => ({
      ...entry,
      node: visibleName(entry.node),
      sourceType: visibleName(entry.sourceType),
      note: visibleName(entry.note),
    }));
}

/** Collects a report; the counts follow from what is noted. */
export class ReportNotes {
  readonly report: ImportReport;

  constructor(format: string) {
    this.report = {
      format,
      nodes: { total: 0, mapped: 0, approximated: 0, needsCredential: 0, placeholder: 0 },
      edges: { total: 0, mapped: 0, reported: 0 },
      expressions: { total: 0, cel: 0, code: 0, unsupported: 0 },
      entries: [],
    };
  }

  node(entry: Omit<ReportEntry, "about"> & { outcome: Outcome }): void {
    this.report.nodes.total += 1;
    this.report.nodes[entry.outcome] += 1;
    this.report.entries.push({ about: "node", ...entry });
  }

  /** Another node type stands for a node than was noted before. */
  instead(name: string, targetType: string, note: string): void {
    const entry = this.report.entries.find(({ about, node }) => about === "node" && node === name);
    if (entry) Object.assign(entry, { targetType, note });
  }

  /** Something of a node was not taken over, so that it does not do quite the same. */
  approximate(name: string): void {
    const entry = this.report.entries.find(({ about, node }) => about === "node" && node === name);
    if (entry?.outcome !== "mapped") return;
    entry.outcome = "approximated";
    this.report.nodes.mapped -= 1;
    this.report.nodes.approximated += 1;
  }

  /** An edge that has its counterpart (`note` empty), or what became of it. */
  edge(from: string, to: string, kind: string, note = ""): void {
    const { edges, entries } = this.report;
    edges.total += 1;
    edges[note === "" ? "mapped" : "reported"] += 1;
    entries.push({
      about: "edge",
      node: `${from} → ${to}`,
      sourceType: kind,
      targetType: note === "" ? "edge" : null,
      outcome: note === "" ? "mapped" : "approximated",
      note,
    });
  }

  /**
   * An expression. One with a `note` is an entry of its own, whole; without one it became an expression, or is kept as it was
   * in a placeholder, which has an entry.
   */
  expression(node: string, source: string, became: "cel" | "code" | "unsupported" | "dropped", note = ""): void {
    const { expressions, entries } = this.report;
    expressions.total += 1;
    expressions[became === "dropped" ? "unsupported" : became] += 1;
    if (note === "") return;
    entries.push({
      about: "expression",
      node,
      sourceType: source,
      targetType: became === "code" || became === "cel" ? became : null,
      outcome:
        became === "code" || became === "cel" ? "approximated" : became === "dropped" ? "dropped" : "placeholder",
      note,
    });
  }

  credential(node: string, type: string, note: string): void {
    this.report.entries.push({
      about: "credential",
      node,
      sourceType: type,
      targetType: null,
      outcome: "needsCredential",
      note,
    });
  }

  setting(node: string, name: string, outcome: PartOutcome, note: string): void {
    this.report.entries.push({ about: "setting", node, sourceType: name, targetType: null, outcome, note });
  }
}

/** Tells a value that nothing stands for; gives whether that makes a difference. */
export function tellLeft(leaf: Leaf, reason: Reason | undefined, name: string, notes: ReportNotes): boolean {
  const where = pathOf(leaf.keys);
  const value = shown(leaf);
  if (!reason) notes.setting(name, where, "approximated", `Not taken over: ${value}`);
  else notes.setting(name, where, reason.isWithoutEffect ? "dropped" : "approximated", `${value} (${reason.why})`);
  return reason?.isWithoutEffect !== true;
}

/** A value as the report says it: what looks like a secret, by itself or by the name beside it, is not told. */
function shown({ keys, value, parent }: Leaf): string {
  const { name = "" } = isJsonObject(parent) ? parent : {};
  const text = String(value);
  const isSecret = [keys.at(-1) ?? "", typeof name === "string" ? name : ""].some((one) => looksSecret(one, text));
  return isSecret ? removedMark : text;
}
