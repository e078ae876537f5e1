import { parseSettings } from "../../../src/engine/credentials/credential-settings.ts";
import type { JsonObject } from "../../../src/engine/json.ts";
import { sqlRequestSchema, type SqlRequest } from "../../../src/nodes/tools/postgres/sql-request.ts";
import type { SqlFailure, SqlResult } from "../../../src/nodes/tools/postgres/sql-result.ts";
import { secretValues } from "../_shared/credential-secrets.ts";
import type { Credential, CredentialFields, CredentialType } from "../_shared/credential-types.ts";
import { describeIssues } from "../_shared/describe-issues.ts";
import { failure, success, type Failure, type Outcome } from "../_shared/failure.ts";
import { createRedactor } from "../_shared/redact.ts";
import { deleteRows, insertRows, updateRows } from "./change-rows.ts";
import { readConnectionString } from "./connection-string.ts";
import { describeTables, requireHints } from "./describe-tables.ts";
import { executeStatement } from "./execute-statement.ts";
import { greetDatabase } from "./greet-database.ts";
import { withPostgres, type PostgresConnection, type PostgresOptions } from "./open-postgres.ts";
import { ParserError } from "./parse-sql.ts";
import { Rejection, type SqlProblem } from "./rejection.ts";
import { withHints } from "./schema-hints.ts";
import { selectRows } from "./select-rows.ts";
import { type SqlContext, transactionOf } from "./sql-context.ts";
import { sqlProblem } from "./sql-problem.ts";
import { parseTableName, type TableName, UnlistedTable } from "./table-name.ts";
import { inTransaction } from "./transaction.ts";

/** A credential whose secret is read only when it is about to be used. */
interface OpenableSqlCredential {
  type: CredentialType;
  allowedHosts: readonly string[];
  /** Of a postgres credential, as they are stored. */
  settings: JsonObject;
  open(): Promise<Outcome<Credential>>;
}

/** What the function takes from outside. */
export type SqlToolDependencies = PostgresOptions & {
  /** Finds a credential of the caller. Fails when they have none with this id. */
  findCredential(id: string): Promise<Outcome<OpenableSqlCredential>>;
};

/**
 * Carries out one request of a Postgres tool: `sqlRequestSchema` in, `sqlResultSchema` out. What the database or a check
 * objects to is a result too, which the model reads. Fails with `invalid_config`, `invalid_credentials`, `blocked_address`,
 * `cancelled`, or `internal` where SQL cannot be checked.
 */
export async function sqlTool(input: unknown, dependencies: SqlToolDependencies): Promise<Outcome<SqlResult>> {
  const parsed = sqlRequestSchema.safeParse(input);
  if (!parsed.success) return describeIssues(parsed.error, "The request");
  const found = await dependencies.findCredential(parsed.data.credential);
  if (!found.ok) return found;
  const { type, allowedHosts, open } = found.value;
  if (type !== "postgres") {
    const message = `A credential of type ${type} cannot be used for Postgres.`;
    return failure("invalid_credentials", message, "Choose a Postgres credential on the tool node.");
  }
  const settings = parseSettings(type, found.value.settings);
  if (!settings.success) {
    return failure("invalid_credentials", "The credential's settings cannot be read.", "Save its settings again.");
  }
  const opened = await open();
  if (!opened.ok) return opened;
  if (opened.value.type !== "postgres") throw new Error("The type of a credential changed while it was read.");
  const result = await perform(parsed.data, opened.value.fields, allowedHosts, settings.data, dependencies);
  return result.ok && !("data" in result.value) ? success(redacted(result.value, opened.value)) : result;
}

async function perform(
  request: SqlRequest,
  fields: CredentialFields<"postgres">,
  allowedHosts: readonly string[],
  settings: JsonObject,
  options: PostgresOptions,
): Promise<Outcome<SqlResult>> {
  const started = performance.now();
  const failed = (problem: SqlProblem): SqlFailure => ({
    success: false,
    operation: request.operation,
    error: problem.error,
    errorType: problem.errorType,
    suggestion: problem.suggestion,
    sqlState: problem.sqlState,
  });
  try {
    // Every run asks for hints, so that those without any cost no connection.
    if (request.operation === "describe") requireHints(settings["schemaHints"] === true);
    const listed = listedTables(settings["tables"]);
    const limits = { ...options, timeoutMs: request.timeoutMs, credential: request.credential };
    const outcome = await withPostgres(fields, allowedHosts, limits, (connection) =>
      withProblems(request, connection, { listed, schemaHints: settings["schemaHints"] === true }, fields.tls),
    );
    if (!outcome.ok) return refused(outcome.error, failed);
    const executionTimeMs = Math.round(performance.now() - started);
    return success(
      outcome.value.ok ? { success: true, ...outcome.value.value, executionTimeMs } : failed(outcome.value.problem),
    );
  } catch (error) {
    if (error instanceof ParserError) return unchecked();
    const problem = sqlProblem(error, fields.tls);
    if (problem === undefined) throw error;
    return success(failed(problem));
  }
}

/** Not the statement's fault, so it is no result that would let a model write it in another way. */
function unchecked(): Outcome<never> {
  return failure(
    "internal",
    "The SQL could not be checked, because its parser did not load, so it was not run.",
    "Try again. If it keeps happening, the operator should restart Switchyard and check the terminal.",
  );
}

type Answer = Awaited<ReturnType<typeof dispatch>>;

/** A failed statement leaves the connection open, so that it can be asked for what helps. */
async function withProblems(
  request: SqlRequest,
  connection: PostgresConnection,
  rules: { listed: readonly TableName[]; schemaHints: boolean },
  tls: boolean,
): Promise<{ ok: true; value: Answer } | { ok: false; problem: SqlProblem }> {
  const tables: TableName[] = [];
  const context: SqlContext = { connection, ...rules, concerns: (...named) => void tables.push(...named) };
  try {
    return { ok: true, value: await dispatch(request, context) };
  } catch (error) {
    const problem = sqlProblem(error, tls);
    if (problem === undefined) throw error;
    if (problem.sqlState === null && !(error instanceof UnlistedTable)) return { ok: false, problem };
    const source = { request, connection, tables, ...rules };
    const hinted = await inTransaction(connection, transactionOf(request, true, "public"), async () => ({
      commit: false,
      value: await withHints(problem, error, source),
    })).catch(() => problem);
    return { ok: false, problem: hinted };
  }
}

function dispatch(request: SqlRequest, context: SqlContext) {
  switch (request.operation) {
    case "select":
      return selectRows(request, context);
    case "insert":
      return insertRows(request, context);
    case "update":
      return updateRows(request, context);
    case "delete":
      return deleteRows(request, context);
    case "execute":
      return executeStatement(request, context);
    case "describe":
      return describeTables(request, context);
    case "test":
      return greetDatabase(request, context);
    default:
      return request satisfies never;
  }
}

/**
 * A refusal without the host that the common checks name in theirs: here it is part of a secret. What is the connection's
 * fault becomes a result; the rest is about the request or the credential.
 */
function refused(error: Failure, failed: (problem: SqlProblem) => SqlFailure): Outcome<SqlResult> {
  switch (error.code) {
    case "blocked_address":
      return failure("blocked_address", "The database's host may not be called.", error.hint);
    case "network":
    case "timeout":
      return success(
        failed({
          errorType: "connection_error",
          error: "The host of the database could not be found.",
          suggestion: "Ask the owner of the credential to correct its connection string.",
          sqlState: null,
        }),
      );
    default:
      return { ok: false, error };
  }
}

function listedTables(value: JsonObject[string] | undefined): TableName[] {
  const texts = Array.isArray(value) ? value : [];
  return texts.map((text) => {
    try {
      return parseTableName(String(text));
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      const suggestion = "Its owner must correct the list; write each as table or schema.table.";
      throw new Rejection("The credential's list of tables holds a name that cannot be read.", suggestion);
    }
  });
}

/** No word of the connection string in what is said about a failure. Rows are not touched: they hold what they hold. */
function redacted(result: SqlResult, credential: Credential): SqlResult {
  if (result.success || credential.type !== "postgres") return result;
  const settings = readConnectionString(credential.fields.connectionString);
  const parts = settings.ok ? [settings.value.host, settings.value.password] : [];
  const { text } = createRedactor([...secretValues(credential), ...parts]);
  return { ...result, error: text(result.error), suggestion: text(result.suggestion) };
}
