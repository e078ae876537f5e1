import type { SqlRequest } from "../../../src/nodes/tools/postgres/sql-request.ts";
import type { PostgresConnection } from "./open-postgres.ts";
import type { TableName } from "./table-name.ts";
import type { TransactionOptions } from "./transaction.ts";

/** What an operation works with. */
export interface SqlContext {
  connection: PostgresConnection;
  /** Tables that the credential's owner allows; empty for all. */
  listed: readonly TableName[];
  schemaHints: boolean;
  /** Remembers the tables of the statement, for the hints of a failure. */
  concerns(...tables: TableName[]): void;
}

/** The transaction in which a request is carried out. */
export function transactionOf(request: SqlRequest, readOnly: boolean, schema: string): TransactionOptions {
  return { readOnly, timeoutMs: request.timeoutMs, role: request.role, schema };
}
