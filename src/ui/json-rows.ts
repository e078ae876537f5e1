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

export interface JsonRowOptions {
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
  const entries = depth < deepest ? entriesOf(value) : null;
  if (entries === null || entries.length === 0) {
    rows.push({ kind: "leaf", path, depth, name, ...leaf(value, options.more[path] ?? firstCharacters) });
    return;
  }
  const open = options.isOpen(path, depth);
  rows.push({ kind: "branch", path, depth, name, open, summary: summarize(value, entries.length) });
  if (!open) return;
  const shown = options.more[path] ?? firstEntries;
  for (const [key, child] of entries.slice(0, shown))
    add(rows, child, key, `${path}/${escapeKey(key)}`, depth + 1, options);
  const rest = entries.length - shown;
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

/** As in JSON Pointer (RFC 6901), so that no two values share a path. */
function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

function entriesOf(value: unknown): [string, unknown][] | null {
  if (Array.isArray(value)) return value.map((child, index) => [String(index), child]);
  if (typeof value === "object" && value !== null) return Object.entries(value);
  return null;
}

function summarize(value: unknown, count: number): string {
  if (Array.isArray(value)) return `[${count}]`;
  return `{${count}}`;
}

function leaf(value: unknown, characters: number) {
  const type = leafType(value);
  const text = leafText(value);
  const cut = Math.max(0, text.length - characters);
  const shown = cut > 0 ? text.slice(0, characters) : text;
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
