import type { InstanceKeys } from "./keys.ts";

/** A request below /rest/v1 or /auth/v1 whose body has been read. */
export interface ApiRequest {
  method: string;
  url: string;
  headers: [string, string][];
  body: Uint8Array | null;
}

export interface ApiAnswer {
  status: number;
  headers: [string, string][];
  /** Null for answers that have no body. */
  body: string | null;
}

/** What the database's process needs to open the database and to answer requests. */
export interface DatabaseSettings {
  /** Directory of the Postgres files, which exist. */
  database: string;
  /** Directory of the migrations. */
  migrations: string;
  siteUrl: string;
  keys: InstanceKeys;
}

/** What the studio asks of the database's process: `open` first, then one piece of work at a time. */
export type DatabaseOrder =
  | { kind: "open"; settings: DatabaseSettings }
  | { kind: "request"; id: number; request: ApiRequest }
  | { kind: "statement"; id: number; sql: string; parameters: readonly unknown[] }
  | { kind: "close" };

/** What the database's process reports: the start, then an outcome for each piece of work by its `id`. */
export type DatabaseReport =
  | { kind: "ready" }
  | { kind: "not-opened"; message: string; hint: string | undefined; stack: string | undefined }
  | { kind: "outcome"; id: number; outcome: Outcome };

export type Outcome =
  | { kind: "answer"; answer: ApiAnswer }
  | { kind: "rows"; rows: Record<string, unknown>[]; affectedRows: number; inTransaction: boolean }
  | { kind: "refused"; message: string; code: string; detail: string | undefined; inTransaction: boolean }
  /** The process failed at it in a way that is a defect. */
  | { kind: "failed"; message: string };

/** With this exit code the database's process says that Postgres has lost its stack and cannot go on. */
export const brokenExitCode = 70;
