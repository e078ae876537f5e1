import { isJsonObject, type Json, type JsonObject } from "../../../engine/json.ts";

/** How a cell is compared. Texts count as numbers where both sides are numbers. */
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
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
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
  const made = new Set([...group_by, ...aggregates.map(aggregateName)]);
  return [...columns, ...sort.map(({ column }) => column)].find((column) => !made.has(column));
}

/** What a column of a group is called: `count`, `sum_amount`. */
export function aggregateName({ of, column }: RowAggregate): string {
  return column === undefined ? of : `${of}_${column}`;
}

export function queryRows(rows: readonly JsonObject[], query: RowQuery): RowAnswer {
  const { where, group_by, aggregates, columns, sort, skip, limit } = query;
  const kept = rows.filter((row) => where.every((condition) => holds(row, condition)));
  const isGrouped = group_by.length + aggregates.length > 0;
  const made = isGrouped ? grouped(kept, group_by, aggregates) : kept;
  const sorted = sort.length === 0 ? made : made.toSorted((a, b) => order(a, b, sort));
  const page = sorted.slice(skip, skip + limit);
  const shown = columns.length === 0 ? page : page.map((row) => chosen(row, columns));
  return { columns: columns.length === 0 ? columnsIn(page) : [...columns], rows: shown, matched: made.length };
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

function numberIn(value: Json | undefined): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || !/^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?\s*$/i.test(value)) return undefined;
  return Number(value);
}

function textIn(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function compare(a: Json | undefined, b: Json | undefined): number {
  const [left, right] = [numberIn(a), numberIn(b)];
  if (left !== undefined && right !== undefined) return left - right;
  const [first, second] = [textIn(a), textIn(b)];
  return first < second ? -1 : first > second ? 1 : 0;
}

function holds(row: JsonObject, { column, is, value }: RowCondition): boolean {
  const cell = cellOf(row, column);
  const isEmpty = cell === undefined || cell === null || cell === "";
  switch (is) {
    case "equals":
      return compare(cell, value) === 0;
    case "not_equals":
      return compare(cell, value) !== 0;
    case "less":
      return !isEmpty && compare(cell, value) < 0;
    case "at_most":
      return !isEmpty && compare(cell, value) <= 0;
    case "greater":
      return !isEmpty && compare(cell, value) > 0;
    case "at_least":
      return !isEmpty && compare(cell, value) >= 0;
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
  }));
}

function aggregate(rows: readonly JsonObject[], { of, column }: RowAggregate): Json {
  if (column === undefined) return of === "count" ? rows.length : null;
  const cells = rows.map((row) => cellOf(row, column)).filter((cell) => textIn(cell) !== "");
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
      const sorted = cells.toSorted(compare);
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
