import { definitionOf } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import { mayWrite } from "../../engine/document/outreach.ts";
import { isJsonObject, type Json } from "../../engine/json.ts";
import { type Leaf, pathOf, type Reason } from "../parameters.ts";
import { type ReportNotes, tellLeft } from "../report.ts";
import type { Made } from "./made.ts";
import { isOfTheWay, settingReason, withoutEffect } from "./no-effect.ts";
import type { Became, NodeWork } from "./node-work.ts";

/** What became of each expression of a leaf, in their order; undefined for one that nothing stands for. */
type Account = readonly { source: string; became: Became | undefined }[];

/** The account of one node: every leaf of its parameters is told, whoever reads them or forgets to. */
export function account(work: NodeWork, made: Made, notes: ReportNotes): void {
  const { node } = work;
  const said = saidBy(made);
  let isApproximate = false;
  for (const leaf of node.parameters.leaves()) {
    const parts = accountOf(work, leaf, made, said);
    if (made.outcome === "placeholder")
      for (const { source } of parts) notes.expression(node.name, source, "unsupported");
    else if (parts.length > 0)
      isApproximate = tellParts(parts, leaf, reasonOf(work, leaf), work, notes) || isApproximate;
    else if (isLeft(work, leaf, made, said))
      isApproximate = tellLeft(leaf, reasonOf(work, leaf), node.name, notes) || isApproximate;
  }
  for (const leaf of node.settings.leaves())
    if (!node.settings.wasRead(leaf))
      isApproximate = tellLeft(leaf, settingReason(leaf), node.name, notes) || isApproximate;
  if (isApproximate) notes.approximate(node.name);
}

/** Tells what became of the expressions of a leaf; gives whether something of them is missing. */
function tellParts(
  parts: Account,
  leaf: Leaf,
  reason: Reason | undefined,
  { node }: NodeWork,
  notes: ReportNotes,
): boolean {
  const where = pathOf(leaf.keys);
  for (const { source, became } of parts) {
    if (became) notes.expression(node.name, source, became.as, became.note);
    else if (!reason) notes.expression(node.name, source, "unsupported", `Not taken over from ${where}.`);
    else
      notes.expression(
        node.name,
        source,
        reason.isWithoutEffect ? "dropped" : "unsupported",
        `Left out of ${where}: ${reason.why}`,
      );
  }
  return parts.some(({ became }) => became === undefined) && reason?.isWithoutEffect !== true;
}

/** Nodes that decide what comes next. */
const deciders: ReadonlySet<string> = new Set(["if", "switch"]);

/** Whether a node decides what comes next; a filter of a list does it in code. */
const decidesNext = ({ node }: NodeWork, { type }: Made) =>
  type !== undefined && (deciders.has(type) || node.type === "filter");

/**
 * The parameters without which a node must not run: of one that may change something elsewhere all that nothing stands for,
 * but for settings of the way there; of one that decides what comes next its expressions. Without them it would change
 * something else than it did, or lead elsewhere.
 */
export function missingFor(work: NodeWork, made: Made, registry: NodeRegistry): string[] {
  const definition = made.type === undefined ? undefined : definitionOf(registry, made.type);
  const decides = decidesNext(work, made);
  const writes = [{ type: made.type, config: made.config ?? {} }, ...(made.before ?? [])].some((step) => {
    const one = step.type === undefined ? undefined : definitionOf(registry, step.type);
    return one !== undefined && mayWrite(one, step.config);
  });
  if (!definition || !(decides || writes)) return [];
  const said = saidBy(made);
  return work.node.parameters
    .leaves()
    .filter((leaf) => {
      if (reasonOf(work, leaf) !== undefined || isOfTheWay(leaf)) return false;
      const parts = accountOf(work, leaf, made, said);
      if (parts.some(({ became }) => became === undefined || became.as === "unsupported")) return true;
      return !decides && parts.length === 0 && isLeft(work, leaf, made, said);
    })
    .map(({ keys }) => pathOf(keys));
}

function reasonOf(work: NodeWork, leaf: Leaf): Reason | undefined {
  return work.node.parameters.reasonOf(leaf) ?? withoutEffect(leaf);
}

function accountOf(work: NodeWork, leaf: Leaf, made: Made, said: string): Account {
  const { value } = leaf;
  if (typeof value !== "string" || !value.startsWith("=")) return [];
  const wasRead = work.node.parameters.wasRead(leaf);
  return work.partsOf(value).flatMap((part) => {
    if (!("source" in part)) return [];
    const known = wasRead ? (work.became.get(part.source) ?? []) : [];
    // What goes into another node's settings is there, not here.
    const stands = known.find((one) => one.as !== "cel" || made.type === undefined || said.includes(one.cel));
    return [{ source: part.source, became: stands }];
  });
}

/** Texts shorter than this may be choices, which stand for something by what was made. */
const longestChoice = 100;

function isLeft(work: NodeWork, leaf: Leaf, made: Made, said: string): boolean {
  if (!work.node.parameters.wasRead(leaf)) return true;
  const { value } = leaf;
  if (typeof value !== "string" || value.length <= longestChoice || made.type === undefined) return false;
  // A long text may have been written anew, such as JSON, but not cut.
  return (value.match(/[\p{L}\p{N}]+/gu) ?? []).some((word) => !said.includes(word));
}

/** What stands in the settings of a node and of the steps before it. */
const saidBy = ({ config = {}, before = [] }: Made) => textsOf([config, ...before.map((step) => step.config)]);

/** All names and texts of some settings, one below the other. */
function textsOf(value: Json): string {
  const texts: string[] = [];
  const walk = (inner: Json) => {
    if (isJsonObject(inner)) {
      for (const [key, one] of Object.entries(inner)) {
        texts.push(key);
        walk(one);
      }
    } else if (Array.isArray(inner)) for (const one of inner) walk(one);
    else texts.push(String(inner));
  };
  walk(value);
  return texts.join("\n");
}
