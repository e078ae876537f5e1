import type { Parameter, WorkerStatement } from "./statements.ts";

/** A worker's way to the database: over IPC to the studio that holds it, or straight to Postgres. */
export interface SqlDoor {
  /**
   * Runs a statement and gives its rows. Rejects with StatementRefused when Postgres refuses it, with NoAnswer when nobody
   * answers: then it may have been done.
   */
  ask(statement: WorkerStatement, parameters: readonly Parameter[]): Promise<Record<string, unknown>[]>;
  /** Calls back when there may be something to do before the next poll. */
  onWake(listener: () => void): void;
  /** Milliseconds between two looks at the queue. */
  readonly pollMs: number;
  close(): Promise<void>;
}

/** Postgres refused a statement. `code` is its SQLSTATE. */
export class StatementRefused extends Error {
  override readonly name = "StatementRefused";
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** The database did not answer. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** The SQLSTATE of a statement that was ended because it took too long. */
export const canceled = "57014";

/** Whether a statement was ended because it took too long; nothing of it was done. */
export function tookTooLong(error: unknown): boolean {
  return error instanceof StatementRefused && error.code === canceled;
}
