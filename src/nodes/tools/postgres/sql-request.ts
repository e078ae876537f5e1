import { z } from "zod/mini";
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
  credential: z.string().check(z.minLength(1), z.maxLength(100)),
  timeoutMs: z._default(
    z.int().check(z.minimum(statementTimeouts.min), z.maximum(statementTimeouts.max)),
    statementTimeouts.default,
  ),
  /** A role to run as, for this statement only. The credential's own role must be a member of it. */
  role: z.optional(z.string().check(z.minLength(1), z.maxLength(63))),
  /** The values that a model gave, as texts: errors repeat no others. Absent where the request is its sender's own. */
  given: z.optional(z.array(z.string()).check(z.maxLength(500))),
};

/** `table` or `schema.table`; a part in double quotes keeps dots and capitals. Without a schema it is `public`. */
const table = z.string().check(z.minLength(1), z.maxLength(300));

const row = z.record(columnNameSchema, z.json());

/** `["*"]` is every column. */
const columns = z.array(columnNameSchema).check(z.minLength(1), z.maxLength(200));

const written = {
  table,
  /** Above this many rows everything is rolled back. */
  maxAffectedRows: z._default(z.int().check(z.minimum(1), z.maximum(affectedLimits.hard)), affectedLimits.default),
  /** Columns of the changed rows to give back; empty: none. */
  returning: z._default(z.array(columnNameSchema).check(z.maxLength(200)), []),
  /** Changes nothing: runs the statement, returns the rows before and after, and rolls back. */
  dryRun: z._default(z.boolean(), false),
};

export const orderBySchema = z.strictObject({
  column: columnNameSchema,
  direction: z._default(z.enum(["asc", "desc"]), "asc"),
});

export const sqlRequestSchema = z.discriminatedUnion("operation", [
  z.strictObject({
    operation: z.literal("select"),
    ...common,
    table,
    columns: z._default(columns, ["*"]),
    /** Absent or an empty list: every row, up to the limit. */
    where: z.optional(whereSchema),
    orderBy: z._default(z.array(orderBySchema).check(z.maxLength(20)), []),
    limit: z._default(z.int().check(z.minimum(1), z.maximum(rowLimits.hard)), rowLimits.default),
    /** How many of the sorted rows are left out at the beginning. */
    offset: z._default(z.int().check(z.minimum(0), z.maximum(rowLimits.offset)), 0),
  }),
  z.strictObject({
    operation: z.literal("insert"),
    ...common,
    ...written,
    /** All in one statement. The columns are those of any row; a row that lacks one takes the column's default. */
    rows: z.array(row).check(z.maxLength(rowLimits.hard)),
    /** Absent: the primary keys of the new rows, where the role may read them. */
    returning: z.optional(written.returning.def.innerType),
    /** How many rows `maxAffectedRows` allows when it is not given: as many as there are in the request. */
    maxAffectedRows: z.optional(written.maxAffectedRows.def.innerType),
  }),
  z.strictObject({ operation: z.literal("update"), ...common, ...written, values: row, where: whereSchema }),
  z.strictObject({ operation: z.literal("delete"), ...common, ...written, where: whereSchema }),
  z.strictObject({
    operation: z.literal("execute"),
    ...common,
    /** One statement; `$1` stands for the first of `parameters`. */
    sql: z.string().check(z.minLength(1), z.maxLength(100_000)),
    parameters: z._default(z.array(z.json()).check(z.maxLength(1_000)), []),
    /** Off: one INSERT, UPDATE, DELETE or MERGE is allowed besides SELECT, also within its WITH. */
    readOnly: z._default(z.boolean(), true),
    maxAffectedRows: written.maxAffectedRows,
    limit: z._default(z.int().check(z.minimum(1), z.maximum(rowLimits.hard)), rowLimits.default),
    dryRun: written.dryRun,
  }),
  /** The tables and columns that the credential's list allows. Rejected unless its schema hints are on. */
  z.strictObject({ operation: z.literal("describe"), ...common, table: z.optional(table) }),
  /** Connects, and says what answered. */
  z.strictObject({ operation: z.literal("test"), ...common }),
]);

/** A complete request, with every default filled in. */
export type SqlRequest = z.output<typeof sqlRequestSchema>;

export type SqlOperation = SqlRequest["operation"];

export type SqlRequestOf<Operation extends SqlOperation> = Extract<SqlRequest, { operation: Operation }>;
