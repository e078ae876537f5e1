import { canceled, NoAnswer, type SqlDoor, StatementRefused } from "../../../worker/sql-door.ts";
import { isWorkerStatement, workerStatements } from "../../../worker/statements.ts";
import { type DatabaseClient, DatabaseUnavailable, StatementError } from "../database/database-client.ts";
import { errorText } from "../start-error.ts";

/** Runs the statements of workers, which are named, and no others. Rejects as a worker's door does. */
export function statementsOn(client: Pick<DatabaseClient, "query">): Pick<SqlDoor, "ask"> {
  return {
    async ask(statement, parameters) {
      if (!isWorkerStatement(statement)) throw new StatementRefused("There is no such statement.", "42501");
      try {
        return (await client.query<Record<string, unknown>>(workerStatements[statement], parameters)).rows;
      } catch (error) {
        throw asRefusal(error);
      }
    },
  };
}

function asRefusal(error: unknown): Error {
  if (error instanceof StatementError) return new StatementRefused(error.message, error.code);
  const isTooLong = error instanceof DatabaseUnavailable && error.reason === "too-long";
  return isTooLong ? new StatementRefused(error.message, canceled) : new NoAnswer(errorText(error));
}
