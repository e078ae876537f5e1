import { isJsonObject, type Json, type JsonObject } from "../../../engine/json.ts";

/** How a cell is compared. Texts that are numbers count as such, but two texts are equal only as texts. */
export const rowComparisons = [
  "equals",
  "not_equals",
  "less",
  "at_most",
  "greater",
  "at_least",
  "contains",
  "empty",
  "not_empty",
] as const;

export const rowAggregates = ["count", "sum", "avg", "min", "max"] as const;

interface RowCondition {
  column: string;
  is: (typeof rowComparisons)[number];
  value?: Json | undefined;
}

interface RowAggregate {
  of: (typeof rowAggregates)[number];
  column?: string | undefined;
}

/** A question about rows: all parts are optional, and are taken in the order in which they stand here. */
export interface RowQuery {
  where: readonly RowCondition[];
  group_by: readonly string[];
  aggregates: readonly RowAggregate[];
  columns: readonly string[];
  sort: readonly { column: string; descending?: boolean | undefined }[];
  skip: number;
  limit: number;
}

/** `matched` counts rows, or groups, before `skip` and `limit`. */
export interface RowAnswer {
  columns: string[];
  rows: JsonObject[];
  matched: number;
}

/** The columns of rows: their keys, in the order in which they come. */
export function columnsIn(rows: readonly JsonObject[]): string[] {
  const columns = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) columns.add(name);
  return [...columns];
}

/** A column that the query names and no row has; undefined where there is none. A dot leads into an object: `customer.name`. */
export function unknownColumn(
  rows: readonly JsonObject[],
  { where, group_by, aggregates, columns, sort }: RowQuery,
): string | undefined {
  const isGrouped = group_by.length + aggregates.length > 0;
  const inRows = [
    ...where.map(({ column }) => column),
    ...group_by,
    ...aggregates.flatMap(({ column }) => column ?? []),
    ...(isGrouped ? [] : [...columns, ...sort.map(({ column }) => column)]),
  ];
  const unknown = inRows.find((column) => !rows.some((row) => cellOf(row, column) !== undefined));
  if (unknown !== undefined || !isGrouped) return unknown;
  const made = new Set([...group_by, ...aggregates.flatMap((one) => [aggregateName(one), ...ignoredName(one)])]);
  return [...columns, ...sort.map(({ column }) => column)].find((column) => !made.has(column));
}

/** What a column of a group is called: `count`, `sum_amount`. */
export function aggregateName({ of, column }: RowAggregate): string {
  return column === undefined ? of : `${of}_${column}`;
}

/** What the column is called that counts the cells which a sum or an average leaves out, since they are no numbers; none of others. */
function ignoredName({ of, column }: RowAggregate): string[] {
  return column !== undefined && (of === "sum" || of === "avg") ? [`ignored_${column}`] : [];
}

export function queryRows(rows: readonly JsonObject[], query: RowQuery): RowAnswer {
  const { where, group_by, aggregates, columns, sort, skip, limit } = query;
  const kept = rows.filter((row) => where.every((condition) => holds(row, condition)));
  const isGrouped = group_by.length + aggregates.length > 0;
  const made = isGrouped ? grouped(kept, group_by, aggregates) : kept;
  const sorted = sort.length === 0 ? made : made.toSorted((a, b) => order(a, b, sort));
  const page = sorted.slice(skip, skip + limit);
  if (columns.length === 0) return { columns: columnsIn(page), rows: page, matched: made.length };
  const ignored = aggregates.filter((one) => columns.includes(aggregateName(one))).flatMap(ignoredName);
  const told = ignored.filter((name) => page.some((row) => Object.hasOwn(row, name)));
  const shown = [...new Set([...columns, ...told])];
  return { columns: shown, rows: page.map((row) => chosen(row, shown)), matched: made.length };
}

function chosen(row: JsonObject, columns: readonly string[]): JsonObject {
  return Object.fromEntries(columns.map((column) => [column, cellOf(row, column) ?? null]));
}

function cellOf(row: JsonObject, column: string): Json | undefined {
  if (Object.hasOwn(row, column)) return row[column];
  let value: Json | undefined = row;
  for (const name of column.split(".")) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** The number that a cell is. A whole one that floats cannot tell from its neighbours, such as a long id, is none. */
function numberIn(value: Json | undefined): number | undefined {
  const isNumber = typeof value === "number" || (typeof value === "string" && numberText.test(value));
  const number = isNumber ? Number(value) : NaN;
  const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
  return isExact ? number : undefined;
}

const numberText = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?\s*$/i;

function textIn(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The order of two cells of one kind, both numbers or both texts; undefined for one of each. */
function compareAlike(a: Json | undefined, b: Json | undefined): number | undefined {
  const [left, right] = [numberIn(a), numberIn(b)];
  if (left !== undefined && right !== undefined) return left - right;
  if (left !== undefined || right !== undefined) return undefined;
  const [first, second] = [textIn(a), textIn(b)];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** The order of any two cells: numbers come before texts. */
function compare(a: Json | undefined, b: Json | undefined): number {
  return compareAlike(a, b) ?? (numberIn(a) === undefined ? 1 : -1);
}

function areEqual(a: Json | undefined, b: Json | undefined): boolean {
  return typeof a === "string" && typeof b === "string" ? a === b : compareAlike(a, b) === 0;
}

function holds(row: JsonObject, { column, is, value }: RowCondition): boolean {
  const cell = cellOf(row, column);
  const isEmpty = cell === undefined || cell === null || cell === "";
  switch (is) {
    case "equals":
      return areEqual(cell, value);
    case "not_equals":
      return !areEqual(cell, value);
    case "less":
      return !isEmpty && (compareAlike(cell, value) ?? NaN) < 0;
    case "at_most":
      return !isEmpty && (compareAlike(cell, value) ?? NaN) <= 0;
    case "greater":
      return !isEmpty && (compareAlike(cell, value) ?? NaN) > 0;
    case "at_least":
      return !isEmpty && (compareAlike(cell, value) ?? NaN) >= 0;
    case "contains":
      return textIn(cell).toLowerCase().includes(textIn(value).toLowerCase());
    case "empty":
      return isEmpty;
    case "not_empty":
      return !isEmpty;
    default:
      return is satisfies never;
  }
}

/** Numbers come before texts, empty cells last. */
function order(a: JsonObject, b: JsonObject, sort: RowQuery["sort"]): number {
  for (const { column, descending = false } of sort) {
    const [left, right] = [cellOf(a, column), cellOf(b, column)];
    const [noLeft, noRight] = [textIn(left) === "", textIn(right) === ""];
    if (noLeft !== noRight) return noLeft ? 1 : -1;
    const compared = compare(left, right);
    if (compared !== 0) return descending ? -compared : compared;
  }
  return 0;
}

function grouped(
  rows: readonly JsonObject[],
  by: readonly string[],
  aggregates: readonly RowAggregate[],
): JsonObject[] {
  const groups = new Map<string, { key: JsonObject; rows: JsonObject[] }>();
  for (const row of rows) {
    const key = chosen(row, by);
    const id = JSON.stringify(Object.values(key));
    const group = groups.get(id) ?? { key, rows: [] };
    group.rows.push(row);
    groups.set(id, group);
  }
  if (by.length === 0 && groups.size === 0) groups.set("", { key: {}, rows: [] });
  const wanted = aggregates.length === 0 ? [{ of: "count" as const }] : aggregates;
  return [...groups.values()].map(({ key, rows: members }) => ({
    ...key,
    ...Object.fromEntries(wanted.map((one) => [aggregateName(one), aggregate(members, one)])),
    ...Object.fromEntries(wanted.flatMap((one) => ignoredIn(members, one))),
  }));
}

function filledCells(rows: readonly JsonObject[], column: string): (Json | undefined)[] {
  return rows.map((row) => cellOf(row, column)).filter((cell) => textIn(cell) !== "");
}

function ignoredIn(rows: readonly JsonObject[], one: RowAggregate): [string, number][] {
  const { column = "" } = one;
  return ignoredName(one).flatMap((name): [string, number][] => {
    const ignored = filledCells(rows, column).filter((cell) => numberIn(cell) === undefined).length;
    return ignored === 0 ? [] : [[name, ignored]];
  });
}

function aggregate(rows: readonly JsonObject[], { of, column }: RowAggregate): Json {
  if (column === undefined) return of === "count" ? rows.length : null;
  const cells = filledCells(rows, column);
  const numbers = cells.flatMap((cell) => numberIn(cell) ?? []);
  switch (of) {
    case "count":
      return cells.length;
    case "sum":
      return rounded(numbers.reduce((sum, number) => sum + number, 0));
    case "avg":
      return numbers.length === 0 ? null : rounded(numbers.reduce((sum, number) => sum + number, 0) / numbers.length);
    case "min":
    case "max": {
      const numeric = cells.filter((cell) => numberIn(cell) !== undefined);
      const sorted = (numeric.length > 0 ? numeric : cells).toSorted(compare);
      return (of === "min" ? sorted[0] : sorted.at(-1)) ?? null;
    }
    default:
      return of satisfies never;
  }
}

/** To 15 digits, as the calculator does, so that 0.1 + 0.2 is 0.3. */
function rounded(number: number): number {
  return Number(number.toPrecision(15));
}
