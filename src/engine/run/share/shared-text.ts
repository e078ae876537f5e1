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

/** A picture or file that is written as a URL; in JSON text its slashes may be escaped. */
const fileUrl = /data:(?:[\w.+-]+\\*\/[\w.+*-]+)?(?:;[^\s,")]{0,200})?,(?:[^\s")\\]|\\+\/)*/gi;
/** A text that is such a URL as a whole, whatever characters it has. */
const isFileUrl = /^\s*data:[^\s,]*,/i;

/** How errors name a credential, whose name may hold quotes as well. */
const credentialName = /(?<=\(credential )"[^\n]*?"(?=\))|(?<=\bcredential )"[^"\n]*"/gi;

/** Characters of an own id that is looked for as it is: a shorter one may be a common word. */
const shortestId = 8;

/** Which conversation it was is nothing that belongs to the run. */
const leftOut = new Set(["sessionId", "session"]);

/**
 * Masks what the workflow masks, and keys in any case; ids that settings of the workflow name (credentials, other workflows,
 * collections) and `ownIds` become `[id]`, names of credentials in errors `[name]`. Files within texts become `[file]` unless files are shared.
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
  const own = ownIds.filter((id) => id.length >= shortestId).toSorted((a, b) => b.length - a.length);
  const withoutIds = (given: string): string => {
    const known = given.replaceAll(anyId, (id) => (hidden.has(id.toLowerCase()) ? "[id]" : id));
    return own.reduce((shown, id) => shown.replaceAll(id, "[id]"), known);
  };
  const withoutFiles = (given: string): string => {
    if (parts.files) return given;
    return isFileUrl.test(given) ? "[file]" : given.replaceAll(fileUrl, "[file]");
  };
  const text = (given: string) => masked(withoutIds(withoutFiles(given)).replace(credentialName, '"[name]"'));
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
    const shown = digits.length < 13 ? withoutIds(digits) : text(digits);
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
