import type { Reach } from "../../../engine/document/reach.ts";
import type { Json, JsonObject } from "../../../engine/json.ts";
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

/** The statement on a card and for a review. */
export function statementWords(statement: Json | undefined): string {
  if (typeof statement !== "string" || statement.trim() === "" || isWholeByModel(statement)) return "Any statement";
  return statement.trim().replace(/\s+/g, " ").slice(0, 80);
}

/** What a run would do, for a person who looks an imported node over: `reads rows of orders in a Postgres database`. */
export function rowWords(does: string, raw: JsonObject): string {
  const table = raw["tableName"];
  const isFixed = typeof table === "string" && table.trim() !== "" && !isWholeByModel(table);
  return `${does} rows of ${isFixed ? table.trim() : "any table"} in a Postgres database`;
}

type SqlReach = Extract<Reach<"credential">, { to: "database" }>;

/** Of a tool that reads rows. */
export const readReach: SqlReach = {
  to: "database",
  credential: "credential",
  does: (raw) => rowWords("reads", raw),
  reads: () => true,
  writes: () => false,
  sends: () => false,
};

/** Whether a person, or the rule about untrusted texts, stands between the model and every call that changes rows. */
export function isGuarded(raw: JsonObject, fallback: string): boolean {
  const { approval = fallback } = raw;
  return raw["dryRun"] === true || approval === "ask" || approval === "ask-after-untrusted";
}

/** Of a tool that "adds", "changes" or "deletes" rows. Rows come back where columns are given back, and in a dry run. */
export function writeReach(does: string): SqlReach {
  return {
    to: "database",
    credential: "credential",
    does: (raw) => rowWords(does, raw),
    reads: ({ returning, dryRun }) => (Array.isArray(returning) && returning.length > 0) || dryRun === true,
    writes: ({ dryRun }) => dryRun !== true,
    sends: (raw) => !isGuarded(raw, "ask"),
  };
}
