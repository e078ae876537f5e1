/** A row by column. */
type Row = Readonly<Record<string, unknown>>;

/** One row that a statement would touch: as it is, as it would be; a side is absent where there is no such row. */
export interface RowChange {
  before?: Row;
  after?: Row;
}

/** What a dry run says of the rows that it would touch. */
export interface RowChanges {
  /** Columns that differ come right after the first. */
  columns: string[];
  changes: RowChange[];
  /** How many rows would be touched; more than are listed when `truncated`. */
  affectedRows: number;
  truncated: boolean;
  table?: string;
  /** What else there is to know: changes of other tables, numbers used up. */
  notes: string[];
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function rowsOf(value: unknown): Row[] | null {
  return Array.isArray(value) && value.every(isRow) ? value : null;
}

/** Whether a cell differs between the two sides of a row that is on both. */
export function differs({ before, after }: RowChange, column: string): boolean {
  return (
    before !== undefined && after !== undefined && JSON.stringify(before[column]) !== JSON.stringify(after[column])
  );
}

function changesOf(before: Row[], after: Row[], paired: boolean): RowChange[] {
  if (!paired) return [...before.map((row) => ({ before: row })), ...after.map((row) => ({ after: row }))];
  return Array.from({ length: Math.max(before.length, after.length) }, (_, index) => ({
    before: before[index],
    after: after[index],
  }));
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function sideEffectsOf(value: unknown): string[] {
  const found = rowsOf(value) ?? [];
  if (found.length === 0) return [];
  const places = found.map(({ table, rows }) => `${String(rows)} of ${String(table)}`);
  return [`Triggers, cascades or rules would also change rows: ${places.join(", ")}.`];
}

/** Rows before and after in a value, such as `{ before: […], after: […], paired, affectedRows }`; null when there are none. */
export function rowChangesOf(value: unknown): RowChanges | null {
  if (!isRow(value)) return null;
  const before = rowsOf(value["before"]);
  const after = rowsOf(value["after"]);
  const { paired = false, affectedRows, truncated = false, table } = value;
  if (before === null || after === null || typeof affectedRows !== "number") return null;
  const changes = changesOf(before, after, paired === true && before.length === after.length);
  const names = [...new Set([...before, ...after].flatMap((row) => Object.keys(row)))];
  const [first, ...others] = names;
  const isChanged = (name: string) => changes.some((change) => differs(change, name));
  const columns = [...others.filter(isChanged), ...others.filter((name) => !isChanged(name))];
  return {
    columns: first === undefined ? [] : [first, ...columns],
    changes,
    affectedRows,
    truncated: truncated === true,
    notes: [...sideEffectsOf(value["alsoChanged"]), ...textsOf(value["notes"])],
    ...(typeof table === "string" ? { table } : {}),
  };
}

/** What would happen, in words: `2 rows of orders would change`. */
export function changeText({ changes, affectedRows, table }: RowChanges): string {
  const rows = affectedRows === 1 ? "1 row" : `${affectedRows} rows`;
  const where = table === undefined ? "" : ` of ${table}`;
  if (affectedRows === 0) return `No row${where} would change`;
  if (changes.length === 0) return `${rows}${where} would change`;
  if (changes.every(({ before }) => before === undefined)) return `${rows}${where} would be added`;
  if (changes.every(({ after }) => after === undefined)) return `${rows}${where} would be deleted`;
  return `${rows}${where} would change`;
}
