import type { SqlErrorType } from "../../../src/nodes/tools/postgres/sql-result.ts";

/** Why a statement failed, in the words that the model reads; `sqlState` is null where the database was not asked. */
export interface SqlProblem {
  errorType: SqlErrorType;
  error: string;
  suggestion: string;
  sqlState: string | null;
}

/**
 * Thrown where a request turns out to be one that is not carried out. The checks are deep recursions over what other
 * people wrote, which end at the first wrong part; `sqlTool` catches it. Its words never hold a value of the request.
 */
export class Rejection extends Error {
  override name = "Rejection";
  readonly problem: SqlProblem;

  constructor(error: string, suggestion: string, errorType: SqlErrorType = "rejected") {
    super(error);
    this.problem = { errorType, error, suggestion, sqlState: null };
  }
}
