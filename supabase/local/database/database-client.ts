/**
 * The seam between whoever has the database and whoever uses it. Today the embedded Postgres runs one statement at a time, so
 * all clients take turns: a statement is one turn, a transaction is one turn from its first statement to its last.
 * Session settings last beyond a turn and are shared: use `set local` inside a transaction.
 */
export interface DatabaseClient {
  /**
   * Runs one statement; several, separated by semicolons, only without parameters (then the rows of the last).
   * Rejects with StatementError when Postgres refuses it, DatabaseUnavailable when it cannot be asked or did not answer.
   */
  query<Row = Record<string, unknown>>(sql: string, parameters?: readonly unknown[]): Promise<QueryResult<Row>>;
  /**
   * Commits what `task` did when it resolves and rolls it back when it rejects. Nobody else's statement comes between.
   * A task that keeps the others waiting without a statement of its own is ended.
   */
  transaction<Result>(task: (transaction: DatabaseTransaction) => Promise<Result>): Promise<Result>;
  /** Drops the client's waiting statements and rolls back its open transaction; whatever comes later is refused. */
  close(): void;
}

export type DatabaseTransaction = Pick<DatabaseClient, "query">;

export interface QueryResult<Row> {
  rows: Row[];
  affectedRows: number;
}

/** Postgres refused a statement. `code` is its SQLSTATE. */
export class StatementError extends Error {
  override readonly name = "StatementError";
  readonly code: string;
  readonly detail: string | undefined;

  constructor(refusal: { message: string; code: string; detail?: string | undefined }) {
    super(refusal.message);
    this.code = refusal.code;
    this.detail = refusal.detail;
  }
}

/** Why the database gave no answer. */
export type Unavailability =
  /** Nothing was done: it is restarting, or busy with somebody else's long statement. Trying again is safe. */
  | "not-started"
  /** It ended while it worked on this: done as a whole or not at all. */
  | "outcome-unknown"
  /** This took longer than a statement may and was ended; nothing of it is kept. */
  | "too-long"
  /** The client or the database was closed. */
  | "closed";

const unavailabilityWords: Record<Unavailability, { message: string; hint: string }> = {
  "not-started": {
    message: "The database is restarting or busy.",
    hint: "Nothing was done. Try again in a moment; what was saved is safe.",
  },
  "outcome-unknown": {
    message: "The database stopped while it worked on this and is being restarted.",
    hint: "Check whether it was done, then try again. What was saved before is safe.",
  },
  "too-long": {
    message: "The database was given too much to do at once, and the statement was ended.",
    hint: "Ask for less: fewer rows, a simpler condition, or a smaller batch.",
  },
  closed: { message: "The database is closed.", hint: "Start Switchyard again." },
};

/** The database gave no answer. */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
  readonly reason: Unavailability;
  readonly hint: string;

  constructor(reason: Unavailability) {
    super(unavailabilityWords[reason].message);
    this.reason = reason;
    this.hint = unavailabilityWords[reason].hint;
  }
}
