import type { JsonObject } from "../../../engine/json.ts";

/** What passages of every collection have, which says nothing of a row. */
const usual = new Set(["documentId", "document", "heading", "position", "untrusted", "url"]);

/** A row's metadata: "team sales · year 2025 · tags money, policy". */
export function rowPlace(metadata: JsonObject): string {
  return Object.entries(metadata)
    .filter(([name]) => !usual.has(name))
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.map(String).join(", ") : String(value)}`)
    .join(" · ");
}
