import type { JsonSchema } from "../../../engine/json.ts";
import { conditionOperators } from "./condition.ts";
import type { OpenPart } from "./model-parts.ts";
import { type TableHint, columnNames } from "./schema-hints.ts";

/*
 * What models are told of the parts that they may give: small, without recursion, since every call pays for it. Known
 * tables and columns become choices.
 */

const fewest = 60;

/** A name, with its choices where they are known and not too many. */
function name(description: string, known: readonly string[]): JsonSchema {
  return { type: "string", description, ...(known.length > 0 && known.length <= fewest ? { enum: [...known] } : {}) };
}

const column = (known: readonly string[]) => name("The column.", known);

export function tablePart(hints: readonly TableHint[]): OpenPart {
  const schema = name(
    "The table, such as orders or sales.orders.",
    hints.map(({ table }) => table),
  );
  return { field: "tableName", parameter: "table", schema, required: true };
}

export function columnsPart(table: TableHint | undefined): OpenPart {
  const schema = { type: "array", items: column(columnNames(table)), description: "Columns to read; all if left out." };
  return { field: "columns", parameter: "columns", schema, required: false };
}

export function orderByPart(table: TableHint | undefined): OpenPart {
  const schema = {
    type: "array",
    description: "How to sort.",
    items: {
      type: "object",
      properties: { column: column(columnNames(table)), direction: { type: "string", enum: ["asc", "desc"] } },
      required: ["column"],
      additionalProperties: false,
    },
  };
  return { field: "orderBy", parameter: "orderBy", schema, required: false };
}

/** The two ways of giving a condition: as comparisons, and as SQL. */
export function whereParts(table: TableHint | undefined, words: string): OpenPart[] {
  const comparison = {
    type: "object",
    properties: {
      column: column(columnNames(table)),
      operator: { type: "string", enum: [...conditionOperators] },
      value: { description: "A single value; a list for in, not in and between; left out for is null." },
    },
    required: ["column", "operator"],
    additionalProperties: false,
  };
  const either = {
    type: "object",
    properties: { any: { type: "array", items: comparison, description: "Any of these." } },
    required: ["any"],
    additionalProperties: false,
  };
  const where = {
    type: "array",
    description: `${words} Every entry must hold.`,
    items: { anyOf: [comparison, either] },
  };
  const whereSql = {
    type: "string",
    description:
      "Instead of where: a SQL condition without subqueries, such as created_at > now() - interval '7 days'.",
  };
  return [
    { field: "where", parameter: "where", schema: where, required: false },
    { field: "where", parameter: "whereSql", schema: whereSql, required: false },
  ];
}

export function rowsPart(table: TableHint | undefined): OpenPart {
  const items = { type: "object", description: "Values by column.", ...known(table) };
  const schema = { type: "array", items, description: "The rows to add." };
  return { field: "rows", parameter: "rows", schema, required: true };
}

export function valuesPart(table: TableHint | undefined): OpenPart {
  const schema = { type: "object", description: "New values by column.", ...known(table) };
  return { field: "values", parameter: "values", schema, required: true };
}

/** The columns that an object may hold, where they are known. Only keywords that every vendor's subset has. */
function known(table: TableHint | undefined): JsonSchema {
  if (!table || table.columns.length > fewest) return {};
  const properties = Object.fromEntries(table.columns.map(({ name, type }) => [name, { description: type }]));
  return { properties, additionalProperties: false };
}

/** A whole statement and its values. */
export function statementParts(readOnly: boolean): OpenPart[] {
  const sql = {
    type: "string",
    description: readOnly
      ? "One SELECT statement; $1 stands for the first of parameters."
      : "One SELECT, INSERT, UPDATE, DELETE or MERGE statement, with a condition on what it changes; $1 stands for the first of parameters.",
  };
  const parameters = { type: "array", description: "Values for $1, $2 and so on, in order." };
  return [
    { field: "statement", parameter: "sql", schema: sql, required: true },
    { field: "statement", parameter: "parameters", schema: parameters, required: false },
  ];
}
