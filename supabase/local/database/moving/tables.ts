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

/** Whether a relation is a studio's, of `spaces` and a `relname`: in a server's database there may be others beside them. */
const isStudios = (name: string): string => `(spaces.nspname = 'auth' or ${name} like 'studio\\_%')`;

/** The queue's own tables: neither copied nor backed up, since they follow from the rows of runs. */
export const queueTables = ["private.studio_run_jobs", "private.studio_queue_checks"] as const;

/** Has workers look through all queues, after rows of runs came without their triggers. */
export async function rebuildQueue(session: SqlSession): Promise<void> {
  await session.exec(
    `insert into private.studio_queue_checks (owner)
     select distinct runs.owner from public.studio_runs as runs where runs.status = 'queued'`,
  );
}

/** All tables of a studio but the queue's own, each after those that it refers to. */
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
     where spaces.nspname in ${schemas} and tables.relkind in ('r', 'p') and ${isStudios("tables.relname")}
       and not tables.relispartition
     order by 1`,
  );
  const derived: readonly string[] = queueTables;
  return inOrder(rows.filter(({ name }) => !derived.includes(name)));
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

/** What is in the same schemas and no studio's, with the quotes that pg_dump's patterns need. */
export async function readStrangers(session: SqlSession): Promise<string[]> {
  const { rows } = await session.query<{ name: string }>(
    `select format('"%s"."%s"', replace(spaces.nspname, '"', '""'), replace(relations.relname, '"', '""')) as name
     from pg_class as relations join pg_namespace as spaces on spaces.oid = relations.relnamespace
     where spaces.nspname in ${schemas} and relations.relkind in ('r', 'p', 'm', 'f', 'S')
       and not ${isStudios("relations.relname")} order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** All sequences of a studio, quoted where that is needed. */
export async function readSequences(session: SqlSession): Promise<string[]> {
  const { rows } = await session.query<{ name: string }>(
    `select format('%I.%I', spaces.nspname, sequences.relname) as name
     from pg_class as sequences join pg_namespace as spaces on spaces.oid = sequences.relnamespace
     where spaces.nspname in ${schemas} and sequences.relkind = 'S' and ${isStudios("sequences.relname")} order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Rows that are nobody's, by table: those of the migrations, of a studio that starts, and of a restore that failed. */
const rowsOfNobody: Readonly<Record<string, string>> = {
  "private.studio_quotas": "true",
  "private.studio_prices": "revision = 0",
  "private.studio_pause": "true",
};

/** A table that holds somebody's rows; undefined where none does. */
export async function tableWithRows(session: SqlSession): Promise<string | undefined> {
  for (const { name } of await readTables(session)) {
    const { rows } = await session.query<{ found: boolean }>(
      `select exists (select from ${name} where not (${rowsOfNobody[name] ?? "false"})) as found`,
    );
    if (rows[0]?.found) return name;
  }
  return undefined;
}
