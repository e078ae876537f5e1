import { StartError } from "../../start-error.ts";

/** Where a database on a PostgreSQL server is. */
export interface ServerAddress {
  /** With the password; for nobody's eyes. */
  url: string;
  /** Without it, for people. */
  shown: string;
}

/** Whether a text is meant as the address of a server, rather than a directory. */
export function isServerAddress(text: string): boolean {
  return /^postgres(ql)?:/i.test(text);
}

/** Reads an address such as postgres://studio:password@db.example:5432/studio. Throws StartError when it is none. */
export function readServerAddress(text: string): ServerAddress {
  const hint =
    "An address looks like postgres://user:password@host:5432/database; letters such as @ and / in a password are percent-encoded.";
  if (!isServerAddress(text))
    throw new StartError("The address of the database does not begin with postgres://.", hint);
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new StartError("The address of the database cannot be read.", hint);
  }
  const database = decodeURIComponent(url.pathname.slice(1));
  if (database === "") throw new StartError("The address of the database names no database.", hint);
  const user = url.username === "" ? "" : `${decodeURIComponent(url.username)}@`;
  return { url: text, shown: `${user}${url.host || "localhost"}/${database}` };
}
