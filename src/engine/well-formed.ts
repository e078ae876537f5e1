/** What Postgres stores in no text: U+0000, and half of a surrogate pair. (With the flag `u` a whole pair is no surrogate.) */
const unfit = /[\0\p{Surrogate}]/u;
const everyUnfit = /[\0\p{Surrogate}]/gu;

/** Stands for a character that cannot be stored. */
const replacement = "\uFFFD";

/** A text without characters that no database stores; each becomes U+FFFD. */
export function wellFormedText(text: string): string {
  return unfit.test(text) ? text.replace(everyUnfit, replacement) : text;
}

/** JSON with every text in it well formed, at any depth, keys too; what is well formed already stays the same object. */
export function wellFormed<Value>(value: Value): Value;
export function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return wellFormedText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    let items: unknown[] | undefined;
    for (const [index, item] of value.entries()) {
      const next = wellFormed<unknown>(item);
      if (next !== item) (items ??= [...value])[index] = next;
    }
    return items ?? value;
  }
  let changed = false;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => {
    const name = wellFormedText(key);
    const next = wellFormed<unknown>(inner);
    changed ||= name !== key || next !== inner;
    return [name, next];
  });
  return changed ? Object.fromEntries(withNamesApart(entries)) : value;
}

/** Keys that differed only in what was replaced stay two. */
function withNamesApart(entries: [string, unknown][]): [string, unknown][] {
  const taken = new Set<string>();
  return entries.map(([key, value]) => {
    let name = key;
    while (taken.has(name)) name += replacement;
    taken.add(name);
    return [name, value];
  });
}

/** The first `limit` characters, never half a surrogate pair. */
export function firstChars(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return text.slice(0, isFirstHalf(text.charCodeAt(limit - 1)) ? limit - 1 : limit);
}

function isFirstHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** The pieces of one stream, each made well formed: half a pair at the end of a piece goes to the next one. */
export class WellFormedStream {
  private held = "";

  next(piece: string): string {
    const text = this.held + piece;
    const cut = isFirstHalf(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length;
    this.held = text.slice(cut);
    return wellFormedText(text.slice(0, cut));
  }
}
