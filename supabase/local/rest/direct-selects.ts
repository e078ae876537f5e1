import { mostRows } from "../../functions/_shared/database-functions.ts";
import type { SqlSession } from "../database/sql-session.ts";

/** Names and types of the columns of each table and view in the schema `public`. */
export type Tables = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** A statement whose one row has the number of found rows and these as JSON text. */
export interface DirectSelect {
  sql: string;
  parameters: string[];
  offset: number;
}

/** Types whose values a filter may compare: as text they are what PostgREST takes. */
const comparable = new Set([
  "uuid",
  "text",
  "character varying",
  "boolean",
  "date",
  "timestamp with time zone",
  "smallint",
  "integer",
  "bigint",
  "numeric",
  "double precision",
]);
const comparisons: Record<string, string> = { eq: "=", neq: "<>", gt: ">", gte: ">=", lt: "<", lte: "<=" };
const states: Record<string, string> = { null: "null", true: "true", false: "false" };

export async function readTables(session: SqlSession): Promise<Tables> {
  const { rows } = await session.query<{ name: string; columns: string[]; types: string[] }>(
    `select found.relname::text as name, array_agg(owned.attname::text order by owned.attnum) as columns,
            array_agg(format_type(owned.atttypid, null) order by owned.attnum) as types
     from pg_catalog.pg_class as found join pg_catalog.pg_attribute as owned on owned.attrelid = found.oid
     where found.relnamespace = 'public'::regnamespace and found.relkind in ('r', 'p', 'v')
       and owned.attnum > 0 and not owned.attisdropped
     group by found.relname`,
    [],
  );
  return new Map(
    rows.map(({ name, columns, types }) => [
      name,
      new Map(columns.map((column, index) => [column, types[index] ?? ""])),
    ]),
  );
}

/**
 * The statement of a plain read: named columns of one table, each filter a comparison with a value, an order, a limit.
 * Null for everything else that PostgREST's language can say.
 */
export function directSelect(tables: Tables, table: string, asked: URLSearchParams): DirectSelect | null {
  const columns = tables.get(table);
  if (!columns) return null;
  const parameters: string[] = [];
  const conditions: string[] = [];
  const clauses = { select: "*", order: "", limit: mostRows, offset: 0 };
  for (const [name, value] of asked) {
    switch (name) {
      case "select": {
        const names = value.split(",");
        if (value !== "*" && !names.every((one) => columns.has(one))) return null;
        clauses.select = value === "*" ? "*" : names.map(quoted).join(", ");
        break;
      }
      case "order": {
        const keys = value.split(",").map((key) => orderKey(columns, key));
        if (keys.includes(null)) return null;
        clauses.order = `order by ${keys.join(", ")}`;
        break;
      }
      case "limit":
      case "offset":
        if (!/^\d{1,9}$/.test(value)) return null;
        clauses[name] = name === "limit" ? Math.min(Number(value), mostRows) : Number(value);
        break;
      default: {
        const type = columns.get(name);
        const condition = type === undefined ? null : filter(quoted(name), type, value, parameters);
        if (condition === null) return null;
        conditions.push(condition);
      }
    }
  }
  const where = conditions.length > 0 ? `where ${conditions.join(" and ")}` : "";
  return {
    sql: `select count(*)::integer as found, coalesce(json_agg(answer), '[]')::text as answer
          from (select ${clauses.select} from public.${quoted(table)} ${where} ${clauses.order}
                limit ${clauses.limit} offset ${clauses.offset}) as answer`,
    parameters,
    offset: clauses.offset,
  };
}

/** For names that the catalog has given. */
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

function orderKey(columns: ReadonlyMap<string, string>, key: string): string | null {
  const [, name = "", direction = "asc", nulls] = /^(.+?)(?:\.(asc|desc))?(?:\.nulls(first|last))?$/.exec(key) ?? [];
  if (!columns.has(name)) return null;
  return `${quoted(name)} ${direction}${nulls === undefined ? "" : ` nulls ${nulls}`}`;
}

function filter(column: string, type: string, value: string, parameters: string[]): string | null {
  const [, operator = "", operand = ""] = /^([a-z]+)\.(.*)$/s.exec(value) ?? [];
  if (operator === "is") return states[operand] === undefined ? null : `${column} is ${states[operand]}`;
  if (!comparable.has(type)) return null;
  const given = (text: string) => `($${parameters.push(text)}::text)::${type}`;
  const comparison = comparisons[operator];
  if (comparison !== undefined) return `${column} ${comparison} ${given(operand)}`;
  // Quotes and escapes are left to the library.
  const list = operator === "in" ? /^\(([^"\\()]+)\)$/.exec(operand)?.[1] : undefined;
  return list === undefined ? null : `${column} in (${list.split(",").map(given).join(", ")})`;
}
