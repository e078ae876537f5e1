import { RunError } from "../../../engine/errors.ts";
import type { Condition, FieldCondition } from "../../../engine/knowledge/filter/condition.ts";
import type { PostgresTable } from "../../../engine/knowledge/postgres-table.ts";
import type { BoundValues } from "./bound-values.ts";
import { quoteName } from "./table-name.ts";

type Columns = Pick<PostgresTable, "id" | "title" | "metadata">;

/**
 * A filter as SQL on the table's own columns, with every value bound. A condition on an empty column does not hold, so that its
 * `not` does. Throws a RunError of code `invalid_config` for what the table has no column for.
 */
export function filterSql(condition: Condition, table: Columns, bound: BoundValues): string {
  switch (condition.is) {
    case "and":
    case "or":
      return `(${condition.of.map((part) => filterSql(part, table, bound)).join(` ${condition.is} `)})`;
    case "not":
      return `not coalesce(${filterSql(condition.of, table, bound)}, false)`;
    default:
      return comparisonSql(condition, table, bound);
  }
}

function comparisonSql({ is, field, value }: FieldCondition, table: Columns, { bind }: BoundValues): string {
  const known = table.metadata.find(({ column }) => column === field);
  if (known?.list === true) {
    if (is !== "=") throw onlyEquals(field);
    return `to_jsonb(${quoteName(field)}) @> ${bind(JSON.stringify([value]))}::jsonb`;
  }
  const column = known ? quoteName(field) : placeOf(field, table);
  if (is === "starts with") return `starts_with(${column}::text, ${bind(String(value))})`;
  // Without a cast, the value has the column's type and its index is used; a whole number fits every type of numbers.
  const cast = typeof value === "number" && !isSmall(value) ? "::numeric" : "";
  return `${column} ${is} ${bind(value)}${cast}`;
}

const isSmall = (value: number): boolean => Number.isInteger(value) && Math.abs(value) < 2 ** 31;

function placeOf(field: string, { id, title }: Columns): string {
  if (field === "document") return title === null ? `${quoteName(id)}::text` : quoteName(title);
  throw new RunError({
    code: "invalid_config",
    message: `The table has no column for "${field}".`,
    hint: "Filter by a metadata column of the collection, or by document, which is the row's title.",
  });
}

function onlyEquals(field: string): RunError {
  return new RunError({
    code: "invalid_config",
    message: `"${field}" is a list, which is compared by = and in only.`,
    hint: `Write ${field} = "a value of the list".`,
  });
}
