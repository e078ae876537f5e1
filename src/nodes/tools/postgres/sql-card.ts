import type { Exposure } from "../../../engine/document/define-node.ts";
import type { JsonObject } from "../../../engine/json.ts";
import { wholeAiOf } from "./model-parts.ts";

const approvals: Readonly<Record<string, string>> = { ask: " · ask", once: " · ask once" };

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
  return wholeAiOf(table) ? "· table from the model" : table.trim();
}

/**
 * What a tool that reads rows exposes an agent to: others' data, and texts that others may have written into them.
 */
export const readExposure: readonly Exposure[] = ["private-data", "untrusted-input"];

/**
 * What a tool that puts the model's text into rows exposes an agent to: others read those rows, so that they are a way out
 * unless a person sees every call.
 */
export function writeExposure(raw: JsonObject): Exposure[] {
  const returns = Array.isArray(raw["returning"]) && raw["returning"].length > 0;
  const asks = (raw["approval"] ?? "ask") === "ask" || raw["dryRun"] === true;
  return [...(returns || raw["dryRun"] === true ? readExposure : []), ...(asks ? [] : ["way-out" as const])];
}
