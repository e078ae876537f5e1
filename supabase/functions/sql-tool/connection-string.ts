import { failure, success, type Outcome } from "../_shared/failure.ts";

/** What a connection string says, decoded. */
interface ConnectionSettings {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  /** For servers that find the database by it when a client does not name the host in TLS, as Neon's do. */
  endpoint: string | undefined;
}

/**
 * Reads a connection string. Of its parameters only Neon's endpoint is used: whether the connection is encrypted is the
 * credential's own switch, and is then always verified, which `sslmode=require` and `channel_binding=require` ask for.
 */
export function readConnectionString(text: string): Outcome<ConnectionSettings> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const [user, password, database] = [url?.username, url?.password, url?.pathname.slice(1)].map(decoded);
  if (url === undefined || user === undefined || password === undefined || database === undefined || user === "") {
    return failure(
      "invalid_credentials",
      "The connection string names no user or cannot be read.",
      "Enter it in the credential as postgresql://user:password@host:5432/database, special characters percent-encoded.",
    );
  }
  const endpoint = /^endpoint=([a-z0-9-]{1,100})$/i.exec(url.searchParams.get("options") ?? "")?.[1];
  return success({
    host: url.hostname,
    port: url.port === "" ? 5_432 : Number(url.port),
    user,
    password,
    database: database === "" ? user : database,
    endpoint,
  });
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
