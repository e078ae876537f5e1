import type { StatementShape } from "../../../src/nodes/tools/postgres/sql-result.ts";
import { Rejection } from "./rejection.ts";
import type { Fields } from "./syntax-node.ts";

/** The statements that change rows, by the parser's names. */
export const writes: Readonly<Record<string, StatementShape["kind"]>> = {
  InsertStmt: "insert",
  UpdateStmt: "update",
  DeleteStmt: "delete",
  MergeStmt: "merge",
};

const procedure: Refusal = [
  "Procedures and blocks of code are not run: nobody can tell what they change.",
  "Write what they would do as SELECT, INSERT, UPDATE, DELETE or MERGE.",
];

type Refusal = readonly [error: string, suggestion: string];

/** What people try most often, with the way that is open instead. */
const refusals: Readonly<Record<string, Refusal>> = {
  CallStmt: procedure,
  DoStmt: procedure,
  CopyStmt: [
    "COPY moves files in and out of the database and is not allowed.",
    "Read with SELECT; put rows in with INSERT and its values as parameters.",
  ],
  TruncateStmt: [
    "TRUNCATE takes every row and is not allowed.",
    "Use DELETE with a condition that says which rows are meant.",
  ],
  ExplainStmt: ["EXPLAIN is not allowed, since it can carry out what it explains.", "Send the SELECT itself."],
  TransactionStmt: [
    "Every call is a transaction of its own, so it cannot be begun or ended here.",
    "Send the statement alone; it is kept when it succeeds.",
  ],
};

/** Statements about tables, types, roles and rights, by how the parser's names for them begin. */
const definition = /^(Create|Alter|Drop|Rename|Grant|Comment|Index|View|Rule|Define|Import|Reassign|SecLabel|Refresh)/;

/** Why a statement of this kind is not carried out, and what to do. */
export function refusedKind(node: string): Rejection {
  const found = refusals[node];
  if (found !== undefined) return new Rejection(...found);
  if (definition.test(node)) {
    return new Rejection(
      "The statement changes tables, types, roles or rights, which this tool never does.",
      "Ask the database's owner to make that change; here only rows are read and changed.",
    );
  }
  return new Rejection(
    "This kind of statement is not allowed.",
    "Use SELECT, or INSERT, UPDATE, DELETE or MERGE where the tool may write.",
  );
}

/** Clauses that people know and no statement may have here, by the parser's names. */
const clauses: Readonly<Record<string, Refusal>> = {
  intoClause: ["SELECT INTO makes a table and is not allowed.", "Leave INTO out; the rows are the result."],
  lockingClause: [
    "Rows are not locked here, so FOR UPDATE and FOR SHARE are not allowed.",
    "Leave that clause out; a change locks what it touches by itself.",
  ],
  catalogname: ["A table of another database cannot be named.", "Write it as table or schema.table."],
};

/** Refuses a clause by what it does, where there are words for it. */
export function refuseClauses(fields: Fields): void {
  const found = Object.keys(clauses).find((name) => fields[name] !== undefined);
  const refusal = found === undefined ? undefined : clauses[found];
  if (refusal !== undefined) throw new Rejection(...refusal);
}

/** For a statement that writes where the tool may only read. */
export function readOnlyRefusal(): Rejection {
  return new Rejection(
    "The tool may only read, and this statement writes.",
    'Use SELECT, or turn "read only" off in the tool.',
  );
}
