import { visibleName } from "../../text/visible-name.ts";
import { callerOf } from "../run-sources.ts";
import { taintReason, type Taint } from "../taint.ts";
import type { UnsaidValue } from "./unsaid-value.ts";

/** Why a person is asked, as a sentence: the values that were not given, else what came from outside; undefined where neither is known. */
export function askReason({ untrusted, unsaid = [] }: { untrusted?: Taint; unsaid?: readonly UnsaidValue[] }) {
  if (unsaid.length === 0) return taintReason(untrusted);
  return unsaid.map((value) => textOf(value, untrusted)).join(" ");
}

/** Why a person is not asked about values that he did not give, in words that may follow "because"; undefined where there are none. */
export function allowedText({ allowed = [] }: { allowed?: readonly UnsaidValue[] }) {
  if (allowed.length === 0) return undefined;
  const named = allowed.map(({ path, value }) => `${visibleName(value)} as “${visibleName(path.join("."))}”`);
  return `you always allow ${named.join(", ")}`;
}

/** Says that nothing asked for a call, and whose words were looked at for that. */
export function unaskedText({ asker }: Pick<UnsaidValue, "asker">, untrusted: Taint = []): string {
  if (asker !== undefined) return `Nothing the ${asker} wrote asked for this call.`;
  const [caller] = untrusted.flatMap((source) => callerOf(source) ?? []);
  return caller === undefined
    ? "Nothing you wrote asked for this call."
    : `You did not ask for this call, and the ${caller}’s words do not count as yours.`;
}

function textOf(unsaid: UnsaidValue, untrusted: Taint | undefined): string {
  const { path, value, from, asker = "you" } = unsaid;
  if (path.length === 0) return unaskedText(unsaid, untrusted);
  const read = from === undefined ? "" : ` (read in ${visibleName(from.title)})`;
  const text = `“${visibleName(path.join("."))}” did not come from ${asker === "you" ? asker : `the ${asker}`}: ${visibleName(value)}${read}`;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
