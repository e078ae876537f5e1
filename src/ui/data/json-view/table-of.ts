/** A list of objects as a table: its columns, and a cell's value, or undefined where an object lacks the column. */
export interface JsonTable {
  columns: string[];
  rows: (unknown[] | undefined)[];
}

const mostColumns = 24;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The table in a value: a list of objects, or the only such list in an object, such as `{ rows: […], total: 2 }`. Null when
 * there is none, or when the objects have next to nothing in common.
 */
export function tableOf(value: unknown): JsonTable | null {
  const list = listIn(value);
  if (list === null) return null;
  const counts = new Map<string, number>();
  for (const row of list) for (const key of Object.keys(row)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const columns = [...counts.keys()];
  const filled = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (columns.length === 0 || columns.length > mostColumns) return null;
  if (filled < (columns.length * list.length) / 2) return null;
  return { columns, rows: list.map((row) => columns.map((column) => row[column])) };
}

function listIn(value: unknown): Record<string, unknown>[] | null {
  if (Array.isArray(value)) return value.length > 0 && value.every(isRecord) ? value : null;
  if (!isRecord(value)) return null;
  const lists = Object.values(value).filter(
    (inner) => Array.isArray(inner) && inner.length > 0 && inner.every(isRecord),
  );
  return lists.length === 1 ? listIn(lists[0]) : null;
}
