import { z } from "zod/mini";
import "../../../engine/config/english-issues.ts";
import { jsonProblem } from "../../../engine/document/json-problem.ts";
import { nodeRecord, type NodeRecord } from "../../../engine/document/workflow-document.ts";
import { readJson } from "../../../engine/json.ts";

type ReadNode = { ok: true; node: NodeRecord } | { ok: false; problem: string };

const limits = { characters: 1_000_000, depth: 64 };

/** What a person may not change by hand: what the node is, and whether it was looked at after an import. */
const fixed = ["id", "type", "version", "unreviewed"] as const;

/** A misspelled key is an error here, where it would be dropped elsewhere. */
const wholeNode = z.strictObject(nodeRecord.shape);

/** The node as a person edited it, or why it cannot be taken. What its config means is checked where it is shown. */
export function readNodeJson(text: string, before: NodeRecord): ReadNode {
  let value: unknown;
  try {
    value = readJson(text);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return { ok: false, problem: `This is not valid JSON: ${cause}.` };
  }
  const problem = jsonProblem(value, limits);
  if (problem !== undefined) return { ok: false, problem };
  const parsed = wholeNode.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.join(".") ?? "";
    return {
      ok: false,
      problem: place === "" ? (issue?.message ?? "This is no node.") : `${place}: ${issue?.message}`,
    };
  }
  const changed = fixed.find((key) => parsed.data[key] !== before[key]);
  if (changed !== undefined) {
    const was = JSON.stringify(before[changed]) ?? "absent";
    return { ok: false, problem: `"${changed}" cannot be changed here; it was ${was}.` };
  }
  return { ok: true, node: parsed.data };
}
