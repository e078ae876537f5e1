import type { WorkflowDocument } from "../../document/workflow-document.ts";
import { isJsonObject, type Json, parseJson } from "../../json.ts";
import { createMask } from "../privacy/mask-text.ts";
import type { SharedParts } from "./shared-run.ts";

/** How words and values of a run are written for strangers. */
export interface SharedText {
  text(text: string): string;
  /** A value as far as files are shared; null unless data is. */
  data(value: Json): Json;
  /** The text of a call's arguments, which stays JSON. */
  argumentText(text: string): string;
}

const anyId = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;

/** Which conversation it was is nothing that belongs to the run. */
const leftOut = new Set(["sessionId", "session"]);

/**
 * Masks what the workflow masks, and keys in any case; ids that settings of the workflow name (credentials, other workflows,
 * collections) and `ownIds` become `[id]`.
 */
export function createSharedText(
  document: WorkflowDocument,
  ownIds: readonly string[],
  parts: SharedParts,
): SharedText {
  const { mask = [], patterns = [] } = document.privacy ?? {};
  const masked = createMask({ mask: [...new Set([...mask, "keys" as const])], patterns });
  const configs = Object.values(document.nodes).map(({ config }) => config);
  const hidden = new Set([...ownIds, ...(JSON.stringify(configs).match(anyId) ?? [])].map((id) => id.toLowerCase()));
  const text = (given: string) => masked(given.replaceAll(anyId, (id) => (hidden.has(id.toLowerCase()) ? "[id]" : id)));
  const value = (given: Json): Json => {
    if (typeof given === "string") return !parts.files && given.startsWith("data:") ? "[file]" : text(given);
    if (Array.isArray(given)) return given.map(value);
    if (!isJsonObject(given)) return typeof given === "number" ? number(given) : given;
    if (!parts.files && typeof given["mimeType"] === "string" && typeof given["data"] === "string") return "[file]";
    const entries = Object.entries(given).filter(([key]) => !leftOut.has(key));
    return Object.fromEntries(entries.map(([key, inner]) => [text(key), value(inner)]));
  };
  /** A number that looks like what is masked becomes text, as in stored runs. */
  const number = (given: number): Json => {
    const digits = String(given);
    const shown = digits.length < 13 ? digits : text(digits);
    return shown === digits ? given : shown;
  };
  return {
    text,
    data: (given) => (parts.data ? value(given) : null),
    argumentText: (given) => {
      if (!parts.data) return "{}";
      const parsed = parseJson(given);
      return parsed === undefined ? text(given) : JSON.stringify(value(parsed));
    },
  };
}
