import { letsNobodyIn, openPostgresDoor } from "./postgres-door.ts";
import { type SqlDoor, StatementRefused } from "./sql-door.ts";

/** Opens the database of DATABASE_URL. Rejects with what to do where it cannot be reached, or is none for this worker. */
export async function openDatabase(url: string, log: (line: string) => void): Promise<SqlDoor> {
  let door: SqlDoor | undefined;
  try {
    door = await openPostgresDoor(url, log);
    await door.ask("queueFigures", []);
    return door;
  } catch (error) {
    await door?.close();
    throw new Error(inWords(error), { cause: error });
  }
}

function inWords(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  if (!(error instanceof StatementRefused)) {
    return `The database of DATABASE_URL cannot be reached (${said}). Check its address, and that it lets this machine in.`;
  }
  return error.code.startsWith(letsNobodyIn)
    ? `The database of DATABASE_URL does not let the worker in (${said}). Check user and password. Once, as its administrator: alter role studio_worker login password '…';`
    : `The database of DATABASE_URL refuses the worker (${said}). It has to be the database of a studio or project of this version, and the role studio_worker.`;
}
