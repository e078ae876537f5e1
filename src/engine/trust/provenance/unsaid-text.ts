import { visibleName } from "../../text/visible-name.ts";
import { taintReason, type Taint } from "../taint.ts";
import type { UnsaidValue } from "./unsaid-value.ts";

/** Why a person is asked, as a sentence: the values that were not given, else what came from outside; undefined where neither is known. */
export function askReason({ untrusted, unsaid = [] }: { untrusted?: Taint; unsaid?: readonly UnsaidValue[] }) {
  if (unsaid.length === 0) return taintReason(untrusted);
  return `${unsaid.map(textOf).join(". ")}.`;
}

function textOf({ path, value, from }: UnsaidValue): string {
  if (path.length === 0) return "Nothing you wrote asked for this call";
  const read = from === undefined ? "" : ` (read in ${visibleName(from.title)})`;
  return `“${visibleName(path.join("."))}” did not come from you: ${visibleName(value)}${read}`;
}
