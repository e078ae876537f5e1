import { z } from "zod/mini";

/**
 * What the `sql-tool` function answers with status 200: the shapes that the model reads. A request that is not valid, a
 * credential that does not fit, a blocked address and a rate limit are the function's usual `{ error }` instead.
 */

const sqlErrorTypes = [
  "connection_error",
  "authentication_error",
  "invalid_table",
  "invalid_column",
  "syntax_error",
  "constraint_violation",
  "permission_denied",
  "timeout",
  "rejected",
] as const;

export type SqlErrorType = (typeof sqlErrorTypes)[number];

/**
 * A row by column name. Whole numbers beyond 2^53 and `numeric` are text, so that no digit is lost; dates and times are ISO
 * 8601 text; json is itself; arrays are lists; bytea is `{ bytea: "<n> bytes", start: "<hex>" }`.
 */
const row = z.record(z.string(), z.json());

export type SqlRow = z.infer<typeof row>;

/** A statement without its values, for the log: `"status" = ? and "id" in (?)`. */
const statementPart = z.object({
  kind: z.enum(["select", "insert", "update", "delete", "merge"]),
  table: z.string(),
  /** Columns that it writes; empty for a delete. */
  columns: z.array(z.string()),
  /** Null where there is none, as in an insert. */
  condition: z.nullable(z.string()),
});

const statementShapeSchema = z.extend(statementPart, {
  /** What else the statement changes, within its WITH. */
  also: z.optional(z.array(statementPart)),
});

export type StatementShape = z.infer<typeof statementShapeSchema>;

/** Rows of other tables that changed with a statement, by triggers, cascades and rules. */
const sideEffect = z.object({ table: z.string(), rows: z.int() });

export type SideEffect = z.infer<typeof sideEffect>;

const dryRunSchema = z.object({
  /** Rows as they are; empty for an insert. At most 100. */
  before: z.array(row),
  /** Rows as they would be; empty for a delete. At most 100. */
  after: z.array(row),
  /** Whether `before[i]` and `after[i]` are the same row; else no key told which is which. */
  paired: z.boolean(),
  /** How many rows the statement would touch. */
  affectedRows: z.int(),
  /** Whether there are more rows than are shown. */
  truncated: z.boolean(),
  /** What else it would change; absent for nothing. */
  alsoChanged: z.optional(z.array(sideEffect)),
  /** What the preview could not take back or not see, in words; absent for nothing. */
  notes: z.optional(z.array(z.string())),
});

export type DryRun = z.infer<typeof dryRunSchema>;

const done = { success: z.literal(true), executionTimeMs: z.number() };

const rows = {
  table: z.nullable(z.string()),
  data: z.array(row),
  /** Whether there is more than `data` holds, or values were cut. */
  truncated: z.boolean(),
  ...done,
};

const readResult = z.object({
  operation: z.enum(["select", "execute"]),
  ...rows,
  rowCount: z.int(),
  /** What the model should know about its request, such as a condition that holds for every row. */
  note: z.optional(z.string()),
});

const writeResult = z.object({
  operation: z.enum(["insert", "update", "delete", "execute"]),
  ...rows,
  affectedRows: z.int(),
  /** What else changed, by triggers, cascades and rules; absent for nothing. It counts towards the row limit. */
  alsoChanged: z.optional(z.array(sideEffect)),
  statement: statementShapeSchema,
  /** Only after a dry run; nothing was changed then. */
  dryRun: z.optional(dryRunSchema),
});

/** A table or view with its columns, as `describe` lists it. */
export const tableDescriptionSchema = z.object({
  /** As `table` of a request takes it; with its schema unless that is `public`. */
  table: z.string(),
  kind: z.enum(["table", "view"]),
  columns: z.array(
    z.object({
      name: z.string(),
      /** As Postgres writes it, such as `timestamp with time zone`. */
      type: z.string(),
      nullable: z.boolean(),
      hasDefault: z.boolean(),
      primaryKey: z.boolean(),
    }),
  ),
});

export type TableDescription = z.infer<typeof tableDescriptionSchema>;

const describeResult = z.object({
  operation: z.literal("describe"),
  ...done,
  tables: z.array(tableDescriptionSchema),
  truncated: z.boolean(),
});

const testResult = z.object({
  operation: z.literal("test"),
  ...done,
  /** Such as `17.2`. */
  serverVersion: z.string(),
  /** Whether the credential lets tools tell the model tables and columns. */
  schemaHints: z.boolean(),
  /** Whether the credential's role passes by all rights: a superuser. */
  superuser: z.boolean(),
});

const sqlFailureSchema = z.object({
  success: z.literal(false),
  operation: z.enum(["select", "insert", "update", "delete", "execute", "describe", "test"]),
  error: z.string(),
  errorType: z.enum(sqlErrorTypes),
  /** What to do next, for the model and the person; never empty. */
  suggestion: z.string(),
  /** Five characters of the database; null where the database was not asked. */
  sqlState: z.nullable(z.string()),
});

export type SqlFailure = z.infer<typeof sqlFailureSchema>;

export const sqlResultSchema = z.union([readResult, writeResult, describeResult, testResult, sqlFailureSchema]);

export type SqlReadResult = z.infer<typeof readResult>;
export type SqlWriteResult = z.infer<typeof writeResult>;
export type SqlDescribeResult = z.infer<typeof describeResult>;
export type SqlTestResult = z.infer<typeof testResult>;
export type SqlResult = z.infer<typeof sqlResultSchema>;
