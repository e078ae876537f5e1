import type { PostgresConnection } from "./open-postgres.ts";
import { Rejection } from "./rejection.ts";

/**
 * Refuses a name after a dot that may call a function: where a row has no column `f`, Postgres reads `row.f` as `f(row)`.
 * The parser cannot tell the two apart, so the database is asked whether it has such functions of its own.
 */
export async function refuseComputedFields(connection: PostgresConnection, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const { rows } = await connection.query(
    [
      "select p.proname from pg_catalog.pg_proc p join pg_catalog.pg_type t on t.oid = p.proargtypes[0] ",
      "join pg_catalog.pg_namespace n on n.oid = p.pronamespace ",
      "where p.pronargs = 1 and n.nspname <> 'pg_catalog' and t.typtype in ('c', 'd', 'p') and p.proname::text = any(",
      { bind: [...names] },
      "::text[]) limit 1",
    ],
    { limit: 1 },
  );
  if (rows.count === 0) return;
  throw new Rejection(
    "A name after a dot calls a function of the database, which is not allowed.",
    "Use columns of the table only.",
  );
}
