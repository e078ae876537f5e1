import { RunError } from "../../../engine/errors.ts";
import type { Host } from "../../../engine/host.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../engine/json.ts";
import { runSql } from "../../tools/postgres/run-sql.ts";
import type { SqlAnswer } from "../../tools/postgres/run-sql.ts";
import { rowLimits } from "../../tools/postgres/sql-request.ts";
import type { BoundValues } from "./bound-values.ts";

/** What a statement is sent with. */
export interface TableAccess {
  host: Pick<Host, "callFunction">;
  /** Id of the Postgres credential. */
  credential: string;
  signal: AbortSignal;
}

interface TableStatement {
  sql: string;
  parameters: BoundValues["values"];
  limit: number;
}

/**
 * The rows of one SELECT, which goes the way of the Postgres tools: checked, in a transaction that only reads, within the time
 * limit of statements. Rejects with a RunError, or with the signal's reason.
 */
export async function readTable(
  { sql, parameters, limit }: TableStatement,
  { host, credential, signal }: TableAccess,
): Promise<JsonObject[]> {
  const request = {
    credential,
    sql,
    parameters: [...parameters],
    readOnly: true,
    limit: Math.min(limit, rowLimits.hard),
    // Errors repeat no value: the collection's own filter may hold one that a model is not to see.
    given: [],
  };
  const { result } = await runSql(host, "execute", request, signal);
  if (!result.ok) throw failureOf(result.error);
  const rows: Json = isJsonObject(result.output) ? (result.output["data"] ?? []) : [];
  return Array.isArray(rows) ? rows.filter(isJsonObject) : [];
}

type Failure = Extract<SqlAnswer["result"], { ok: false }>["error"];

function failureOf({ message, hint, code = "tool_error", retryable = false, details }: Failure): RunError {
  const sqlState = isJsonObject(details) ? details["sqlState"] : undefined;
  const known = typeof sqlState === "string" ? ofTables[sqlState] : undefined;
  const cause = typeof sqlState === "string" ? { cause: sqlState } : {};
  if (known) return new RunError({ ...known, ...cause });
  return new RunError({
    code,
    message: `The collection's table could not be read: ${message}`,
    hint: hint ?? "Check the table and its columns in the collection's settings.",
    retryable,
    ...cause,
  });
}

/** What an SQLSTATE means where the statement is one of ours. */
const ofTables: Readonly<Record<string, { code: "invalid_config" | "timeout"; message: string; hint: string }>> = {
  "42883": {
    code: "invalid_config",
    message: "The vector column cannot be compared: it is not a vector, or the database lacks the extension pgvector.",
    hint: "Choose a column of type vector or halfvec, and run create extension vector in the schema public or extensions.",
  },
  "57014": {
    code: "timeout",
    message: "The search of the table took too long and was stopped.",
    hint: "Give the table an index: hnsw on the vector column for the same comparison, gin on to_tsvector of the text column for keywords.",
  },
};
