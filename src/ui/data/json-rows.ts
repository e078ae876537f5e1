/** One visible line of a JSON tree. `path` is unique in its tree. */
export type JsonRow =
  | { kind: "branch"; path: string; depth: number; name: string | null; open: boolean; summary: string }
  | {
      kind: "leaf";
      path: string;
      depth: number;
      name: string | null;
      type: "string" | "number" | "boolean" | "empty";
      text: string;
      /** Characters left out. */
      cut: number;
      /** How many to ask for next. */
      next: number;
    }
  /** Stands for the rest of a long list; `owner` is the list's path. */
  | { kind: "more"; path: string; depth: number; owner: string; text: string; next: number };

interface JsonRowOptions {
  isOpen(path: string, depth: number): boolean;
  /** Entries or characters to show by path, where the reader asked for more than the first ones. */
  more: Readonly<Record<string, number>>;
}

const firstEntries = 50;
const firstCharacters = 600;
/** A tree deeper than this says only that there is more. */
const deepest = 40;

/** The lines that a JSON tree shows; what is closed or cut is not walked, so a huge value costs what is seen of it. */
export function jsonRows(value: unknown, options: JsonRowOptions): JsonRow[] {
  const rows: JsonRow[] = [];
  add(rows, value, null, "$", 0, options);
  return rows;
}

function add(
  rows: JsonRow[],
  value: unknown,
  name: string | null,
  path: string,
  depth: number,
  options: JsonRowOptions,
): void {
  const shown = options.more[path] ?? firstEntries;
  const inside = depth < deepest ? childrenOf(value, shown) : null;
  if (inside === null || inside.count === 0) {
    rows.push({ kind: "leaf", path, depth, name, ...leaf(value, options.more[path] ?? firstCharacters) });
    return;
  }
  const open = options.isOpen(path, depth);
  rows.push({ kind: "branch", path, depth, name, open, summary: summarize(value, inside.count) });
  if (!open) return;
  for (const [key, child] of inside.first) add(rows, child, key, `${path}/${escapeKey(key)}`, depth + 1, options);
  const rest = inside.count - shown;
  if (rest <= 0) return;
  const text = `Show ${Math.min(rest, firstEntries * 4)} of ${rest} more`;
  rows.push({
    kind: "more",
    path: `${path}//more`,
    depth: depth + 1,
    owner: path,
    text,
    next: shown + firstEntries * 4,
  });
}

/**
 * How many levels, up to `wanted`, can be open at first with at most `mostRows` lines; one at least, so that a value shows
 * what it is. No more of the value is walked than that.
 */
export function levelsWithin(value: unknown, wanted: number, mostRows: number): number {
  let level: unknown[] = [value];
  let rows = 1;
  for (let levels = 0; levels < wanted; levels += 1) {
    const below: unknown[] = [];
    for (const each of level) {
      for (const [, child] of childrenOf(each, firstEntries)?.first ?? []) below.push(child);
      if (levels > 0 && rows + below.length > mostRows) return levels;
    }
    rows += below.length;
    level = below;
  }
  return wanted;
}

/** As in JSON Pointer (RFC 6901), so that no two values share a path. */
function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The first entries of a list or an object, and how many it has; null for anything else. */
function childrenOf(value: unknown, most: number): { count: number; first: [string, unknown][] } | null {
  if (Array.isArray(value)) {
    const first = value.slice(0, most).map((child, index): [string, unknown] => [String(index), child]);
    return { count: value.length, first };
  }
  if (typeof value !== "object" || value === null) return null;
  const keys = Object.keys(value);
  return { count: keys.length, first: keys.slice(0, most).map((key) => [key, Reflect.get(value, key)]) };
}

function summarize(value: unknown, count: number): string {
  if (Array.isArray(value)) return `[${count}]`;
  return `{${count}}`;
}

function leaf(value: unknown, characters: number) {
  const type = leafType(value);
  const text = leafText(value);
  // No half of a character that takes two places.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(characters - 1)) ? characters - 1 : characters;
  const cut = Math.max(0, text.length - end);
  const shown = cut > 0 ? text.slice(0, end) : text;
  return { type, text: type === "string" ? `"${shown}"` : shown, cut, next: characters * 10 };
}

function leafText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return value.length === 0 ? "[]" : "[…]";
  return Object.keys(value).length === 0 ? "{}" : "{…}";
}

function leafType(value: unknown): "string" | "number" | "boolean" | "empty" {
  if (typeof value === "string") return "string";
  if (typeof value === "number") return "number";
  return typeof value === "boolean" ? "boolean" : "empty";
}
