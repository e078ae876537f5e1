import { visibleName } from "../../text/visible-name.ts";
import { taintReason, type Taint } from "../taint.ts";
import type { UnsaidValue } from "./unsaid-value.ts";

/** Why a person is asked, as a sentence: the values that were not given, else what came from outside; undefined where neither is known. */
export function askReason({ untrusted, unsaid = [] }: { untrusted?: Taint; unsaid?: readonly UnsaidValue[] }) {
  if (unsaid.length === 0) return taintReason(untrusted);
  return unsaid.map(textOf).join(" ");
}

/** Why a person is not asked about values that he did not give, in words that may follow "because"; undefined where there are none. */
export function allowedText({ allowed = [] }: { allowed?: readonly UnsaidValue[] }) {
  if (allowed.length === 0) return undefined;
  const named = allowed.map(({ path, value }) => `${visibleName(value)} as “${visibleName(path.join("."))}”`);
  return `you always allow ${named.join(", ")}`;
}

function textOf({ path, value, from }: UnsaidValue): string {
  if (path.length === 0) return "Nothing you wrote asked for this call.";
  const read = from === undefined ? "" : ` (read in ${visibleName(from.title)})`;
  const text = `“${visibleName(path.join("."))}” did not come from you: ${visibleName(value)}${read}`;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
