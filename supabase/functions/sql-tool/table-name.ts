import { Rejection } from "./rejection.ts";
import { quoteIdentifier } from "./sql-text.ts";
import { type Fields, isSyntaxNode } from "./syntax-node.ts";

/** A table by its exact, unquoted names. */
export interface TableName {
  schema: string;
  name: string;
}

const defaultSchema = "public";
const part = /^(?:"((?:[^"]|"")+)"|([^".]+))(?:\.|$)/;

/** Reads `table` or `schema.table`. A part in double quotes is taken as it is; others are too, since people copy names. */
export function parseTableName(text: string): TableName {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest !== "") {
    const match = part.exec(rest);
    if (match === null) throw notAName();
    parts.push(match[1]?.replaceAll('""', '"') ?? (match[2] ?? "").trim());
    if (match[0].endsWith(".") && match[0].length === rest.length) throw notAName();
    rest = rest.slice(match[0].length);
  }
  const [first, second, ...more] = parts;
  if (first === undefined || more.length > 0) throw notAName();
  const table = second === undefined ? { schema: defaultSchema, name: first } : { schema: first, name: second };
  refuseCatalog(table);
  quoteTable(table);
  return table;
}

/** A relation of a statement, from the fields that the parser gives it. */
export function readTable({ schemaname, relname }: Fields): TableName {
  const schema = typeof schemaname === "string" ? schemaname : defaultSchema;
  const table = { schema, name: typeof relname === "string" ? relname : "" };
  refuseCatalog(table);
  return table;
}

/** The table that a statement writes to, from the statement's fields. */
export function targetOf({ relation }: Fields): TableName {
  return readTable(isSyntaxNode(relation) ? relation : {});
}

/** Always with its schema, so that no search path decides which table is meant. */
export function quoteTable({ schema, name }: TableName): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
}

/** As people write it: without the schema where that is `public`, in quotes where a part needs them. */
export function showTable({ schema, name }: TableName): string {
  return (schema === defaultSchema ? [name] : [schema, name])
    .map((each) => (/["\s.]/.test(each) ? `"${each.replaceAll('"', '""')}"` : each))
    .join(".");
}

/** Whether a table is one of these. */
export function isAmong(table: TableName, tables: readonly TableName[]): boolean {
  return tables.some(({ schema, name }) => schema === table.schema && name === table.name);
}

/** The statement names a table that the credential's list leaves out. */
export class UnlistedTable extends Rejection {
  readonly table: TableName;

  constructor(table: TableName, suggestion: string) {
    super("The credential does not allow this table.", suggestion, "permission_denied");
    this.table = table;
  }
}

/** Refuses a table that the credential's list leaves out; an empty list allows every table. */
export function requireListed(table: TableName, listed: readonly TableName[], hints: boolean): void {
  if (listed.length === 0 || isAmong(table, listed)) return;
  const suggestion = hints
    ? `Use one of these tables: ${listed.map(showTable).join(", ")}.`
    : "Use a table that its owner has put on the credential's list.";
  throw new UnlistedTable(table, suggestion);
}

function refuseCatalog({ schema, name }: TableName): void {
  const inside = /^pg_/i.test(schema) || /^information_schema$/i.test(schema) || /^pg_/i.test(name);
  if (!inside) return;
  throw new Rejection("System catalogs cannot be read.", "Use a table of your own schema.");
}

function notAName(): Rejection {
  return new Rejection(
    "The table's name cannot be read.",
    'Write it as table or schema.table; put a part with dots in double quotes, such as "my.table".',
    "invalid_table",
  );
}
