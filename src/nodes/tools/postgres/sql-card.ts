import type { Exposure } from "../../../engine/document/define-node.ts";
import type { JsonObject } from "../../../engine/json.ts";
import { isWholeByModel } from "../whole-by-model.ts";

const approvals: Readonly<Record<string, string>> = {
  ask: " · ask",
  once: " · ask once",
  "ask-after-untrusted": " · ask after untrusted",
};

/** What the card says of when a person is asked; writes ask unless told otherwise. */
export function approvalMark(raw: JsonObject): string {
  if (raw["dryRun"] === true) return " · dry run";
  const approval = raw["approval"] ?? "ask";
  return typeof approval === "string" ? (approvals[approval] ?? "") : "";
}

/** The table on a card: `orders`, or who chooses it. */
export function tableWords(raw: JsonObject): string {
  const table = raw["tableName"];
  if (typeof table !== "string" || table.trim() === "") return "· any table";
  return isWholeByModel(table) ? "· table from the model" : table.trim();
}

/** What a run would do, for a person who looks an imported node over: `reads rows of orders in a Postgres database`. */
export function outreachWords(does: string, raw: JsonObject): string {
  const table = raw["tableName"];
  const isFixed = typeof table === "string" && table.trim() !== "" && !isWholeByModel(table);
  return `${does} rows of ${isFixed ? table.trim() : "any table"} in a Postgres database`;
}

/**
 * What a tool that reads rows exposes an agent to: others' data, and texts that others may have written into them.
 */
export const readExposure: readonly Exposure[] = ["private-data", "untrusted-input"];

/** Whether a person, or the rule about untrusted texts, stands between the model and every call that changes rows. */
export function isGuarded(raw: JsonObject, fallback: string): boolean {
  const { approval = fallback } = raw;
  return raw["dryRun"] === true || approval === "ask" || approval === "ask-after-untrusted";
}

/**
 * What a tool that puts the model's text into rows exposes an agent to. Others read those rows, so they are a way out unless
 * calls are guarded; rows come back where columns are given back, and in a dry run.
 */
export function writeExposure(raw: JsonObject): Exposure[] {
  const { returning, dryRun } = raw;
  const reads = (Array.isArray(returning) && returning.length > 0) || dryRun === true;
  return [...(reads ? readExposure : []), ...(isGuarded(raw, "ask") ? [] : ["way-out" as const])];
}
