import { canonicalJson } from "../../canonical-json.ts";
import type { Json } from "../../json.ts";

/** What to do about a call that has had the same result before. */
type Repetition = { kind: "fresh" } | { kind: "told"; note: string } | { kind: "loop" };

/**
 * Counts calls with the same tool, arguments (in any key order) and result. At `limit` the model is told; at twice the
 * limit it is a loop.
 */
export function createRepetitionWatch(limit: number): (toolName: string, input: Json, text: string) => Repetition {
  const counts = new Map<string, number>();
  return (toolName, input, text) => {
    const key = `${toolName}\n${canonicalJson(input)}\n${text}`;
    const times = (counts.get(key) ?? 0) + 1;
    counts.set(key, times);
    if (times >= limit * 2) return { kind: "loop" };
    if (times < limit) return { kind: "fresh" };
    const said = times === 1 ? "once" : `${times} times`;
    const note = `[You have made this same call ${said} with the same result. Do not repeat it: change the arguments, use another tool, or answer with what you have.]`;
    return { kind: "told", note };
  };
}
