import type { SqlSession } from "../sql-session.ts";

/** A table as it is copied. Names are quoted where that is needed. */
export interface Table {
  name: string;
  /** All but those that Postgres works out by itself, by name. */
  columns: { name: string; type: string }[];
  /** Other tables that its rows refer to. */
  references: string[];
}

/** What a studio keeps; the migrations' own books are not part of it. */
const schemas = "('public', 'private', 'auth')";

/** All tables of a database, each after those that it refers to. */
export async function readTables(session: SqlSession): Promise<Table[]> {
  const { rows } = await session.query<Table>(
    `select format('%I.%I', spaces.nspname, tables.relname) as name,
       (select json_agg(json_build_object('name', quote_ident(columns.attname),
                                          'type', format_type(columns.atttypid, columns.atttypmod)) order by columns.attname)
        from pg_attribute as columns
        where columns.attrelid = tables.oid and columns.attnum > 0 and not columns.attisdropped
          and columns.attgenerated = '') as columns,
       coalesce((select json_agg(distinct format('%I.%I', other_spaces.nspname, others.relname))
        from pg_constraint as keys
        join pg_class as others on others.oid = keys.confrelid
        join pg_namespace as other_spaces on other_spaces.oid = others.relnamespace
        where keys.conrelid = tables.oid and keys.contype = 'f' and keys.confrelid <> tables.oid), '[]') as "references"
     from pg_class as tables join pg_namespace as spaces on spaces.oid = tables.relnamespace
     where spaces.nspname in ${schemas} and tables.relkind = 'r'
     order by 1`,
  );
  return inOrder(rows);
}

function inOrder(tables: readonly Table[]): Table[] {
  const waiting = new Map(tables.map((table) => [table.name, table]));
  const ordered: Table[] = [];
  while (waiting.size > 0) {
    const next = [...waiting.values()].filter(({ references }) => !references.some((name) => waiting.has(name)));
    if (next.length === 0) throw new Error(`These tables refer to each other: ${[...waiting.keys()].join(", ")}.`);
    for (const table of next) waiting.delete(table.name);
    ordered.push(...next);
  }
  return ordered;
}

/** All sequences, quoted where that is needed. */
export async function readSequences(session: SqlSession): Promise<string[]> {
  const { rows } = await session.query<{ name: string }>(
    `select format('%I.%I', spaces.nspname, sequences.relname) as name
     from pg_class as sequences join pg_namespace as spaces on spaces.oid = sequences.relnamespace
     where spaces.nspname in ${schemas} and sequences.relkind = 'S' order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** What the migrations fill by themselves. */
export const seededTables: ReadonlySet<string> = new Set(["private.studio_quotas"]);

/** A table that holds somebody's rows; undefined where none does. */
export async function tableWithRows(session: SqlSession): Promise<string | undefined> {
  for (const { name } of await readTables(session)) {
    if (seededTables.has(name)) continue;
    const { rows } = await session.query<{ found: boolean }>(`select exists (select from ${name}) as found`);
    if (rows[0]?.found) return name;
  }
  return undefined;
}
