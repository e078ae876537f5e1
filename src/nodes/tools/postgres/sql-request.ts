import { z } from "zod";
import { columnNameSchema, whereSchema } from "./condition.ts";

/**
 * What the Postgres tools ask of the `sql-tool` function, one request per statement. Values are JSON and always bound: text,
 * numbers (also as text, so that large ones stay exact), booleans, null; a list for an array column; an object for json.
 */

/** Rows that come back: 1,000 unless asked otherwise, never more than 10,000; and how many may be left out before them. */
export const rowLimits = { default: 1_000, hard: 10_000, offset: 10_000_000 } as const;

/** Rows that a write may touch before it is rolled back. */
export const affectedLimits = { default: 100, hard: 100_000 } as const;

/** Milliseconds that a statement may take. */
export const statementTimeouts = { default: 10_000, min: 100, max: 60_000 } as const;

const common = {
  /** Id of a credential of type postgres. */
  credential: z.string().min(1).max(100),
  timeoutMs: z.number().int().min(statementTimeouts.min).max(statementTimeouts.max).default(statementTimeouts.default),
  /** A role to run as, for this statement only. The credential's own role must be a member of it. */
  role: z.string().min(1).max(63).optional(),
};

/** `table` or `schema.table`; a part in double quotes keeps dots and capitals. Without a schema it is `public`. */
const table = z.string().min(1).max(300);

const row = z.record(columnNameSchema, z.json());

/** `["*"]` is every column. */
const columns = z.array(columnNameSchema).min(1).max(200);

const written = {
  table,
  /** Above this many rows everything is rolled back. */
  maxAffectedRows: z.number().int().min(1).max(affectedLimits.hard).default(affectedLimits.default),
  /** Columns of the changed rows to give back; empty: none. */
  returning: z.array(columnNameSchema).max(200).default([]),
  /** Changes nothing: runs the statement, returns the rows before and after, and rolls back. */
  dryRun: z.boolean().default(false),
};

export const orderBySchema = z.strictObject({
  column: columnNameSchema,
  direction: z.enum(["asc", "desc"]).default("asc"),
});

export const sqlRequestSchema = z.discriminatedUnion("operation", [
  z.strictObject({
    operation: z.literal("select"),
    ...common,
    table,
    columns: columns.default(["*"]),
    /** Absent or an empty list: every row, up to the limit. */
    where: whereSchema.optional(),
    orderBy: z.array(orderBySchema).max(20).default([]),
    limit: z.number().int().min(1).max(rowLimits.hard).default(rowLimits.default),
    /** How many of the sorted rows are left out at the beginning. */
    offset: z.number().int().min(0).max(rowLimits.offset).default(0),
  }),
  z.strictObject({
    operation: z.literal("insert"),
    ...common,
    ...written,
    /** All in one statement. The columns are those of any row; a row that lacks one takes the column's default. */
    rows: z.array(row).min(1).max(rowLimits.hard),
    /** Absent: the primary keys of the new rows, where the role may read them. */
    returning: written.returning.removeDefault().optional(),
    /** How many rows `maxAffectedRows` allows when it is not given: as many as there are in the request. */
    maxAffectedRows: written.maxAffectedRows.removeDefault().optional(),
  }),
  z.strictObject({ operation: z.literal("update"), ...common, ...written, values: row, where: whereSchema }),
  z.strictObject({ operation: z.literal("delete"), ...common, ...written, where: whereSchema }),
  z.strictObject({
    operation: z.literal("execute"),
    ...common,
    /** One statement; `$1` stands for the first of `parameters`. */
    sql: z.string().min(1).max(100_000),
    parameters: z.array(z.json()).max(1_000).default([]),
    /** Off: one INSERT, UPDATE, DELETE or MERGE is allowed besides SELECT, also within its WITH. */
    readOnly: z.boolean().default(true),
    maxAffectedRows: written.maxAffectedRows,
    limit: z.number().int().min(1).max(rowLimits.hard).default(rowLimits.default),
    dryRun: written.dryRun,
  }),
  /** The tables and columns that the credential's list allows. Rejected unless its schema hints are on. */
  z.strictObject({ operation: z.literal("describe"), ...common, table: table.optional() }),
  /** Connects, and says what answered. */
  z.strictObject({ operation: z.literal("test"), ...common }),
]);

/** A complete request, with every default filled in. */
export type SqlRequest = z.output<typeof sqlRequestSchema>;

export type SqlOperation = SqlRequest["operation"];

export type SqlRequestOf<Operation extends SqlOperation> = Extract<SqlRequest, { operation: Operation }>;
