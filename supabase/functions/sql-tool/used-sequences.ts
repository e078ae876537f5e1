import type { TableChange } from "./affected-rows.ts";
import type { PostgresConnection } from "./open-postgres.ts";
import { showTable, type TableName } from "./table-name.ts";

interface Sequence {
  sequence: TableName;
  owner: TableName | undefined;
  last: string | null;
}

/** The sequences with the number that each gave last: null where the role may not read it, or none was given yet. */
async function readSequences(connection: PostgresConnection): Promise<Map<string, Sequence>> {
  const { rows } = await connection.query(
    [
      "select s.schemaname::text as schema, s.sequencename::text as name, s.last_value::text as last, ",
      "tn.nspname::text as owner_schema, t.relname::text as owner_name from pg_catalog.pg_sequences s ",
      "join pg_catalog.pg_namespace n on n.nspname = s.schemaname ",
      "join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = s.sequencename and c.relkind = 'S' ",
      "left join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid ",
      "and d.refclassid = 'pg_catalog.pg_class'::regclass and d.deptype in ('a', 'i') ",
      "left join pg_catalog.pg_class t on t.oid = d.refobjid left join pg_catalog.pg_namespace tn on tn.oid = t.relnamespace",
    ],
    { limit: 10_000 },
  );
  return new Map(
    rows.rows.map(({ schema, name, last, owner_schema: ownerSchema, owner_name: ownerName }) => {
      const sequence = { schema: String(schema), name: String(name) };
      const owner =
        typeof ownerSchema === "string" && typeof ownerName === "string"
          ? { schema: ownerSchema, name: ownerName }
          : undefined;
      return [JSON.stringify(sequence), { sequence, owner, last: typeof last === "string" ? last : null }];
    }),
  );
}

/**
 * Begins to watch the sequences, whose numbers no rollback gives back. What is given back names those that moved since, and
 * those that cannot be read and belong to a table into which rows were put.
 */
export async function watchSequences(
  connection: PostgresConnection,
): Promise<(changes: readonly TableChange[] | undefined) => Promise<string[]>> {
  const before = await readSequences(connection);
  return async (changes) => {
    const filled = new Set((changes ?? []).filter(({ inserted }) => inserted > 0).map(({ table }) => showTable(table)));
    const used: string[] = [];
    for (const [key, { sequence, owner, last }] of await readSequences(connection)) {
      const isUnread = last === null && owner !== undefined && filled.has(showTable(owner));
      if (isUnread || last !== (before.get(key)?.last ?? null)) used.push(showTable(sequence));
    }
    return used.toSorted();
  };
}
