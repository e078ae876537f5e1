import { partyHeader } from "./caller-address.ts";
import type { FunctionEnvironment } from "./function-environment.ts";

/** How functions speak to their own Supabase. Answers are unknown JSON, to be parsed by who asked. */
export interface SupabaseClient {
  /** Rows of a table that the holder of `token` may see. `filters` are PostgREST's, such as `{ id: "eq.…" }`. */
  selectAsUser(token: string, table: string, columns: string, filters: Record<string, string>): Promise<unknown>;
  /** Changes rows as the holder of `token`; answers the changed rows. */
  updateAsUser(
    token: string,
    table: string,
    columns: string,
    filters: Record<string, string>,
    values: Record<string, unknown>,
  ): Promise<unknown>;
  /** Deletes rows as the holder of `token`; answers the deleted rows. */
  deleteAsUser(token: string, table: string, columns: string, filters: Record<string, string>): Promise<unknown>;
  /** Calls a database function that only the service role may execute. `effect` says what it does; default: writes. */
  callAsService(
    functionName: string,
    parameters: Record<string, unknown>,
    effect?: "reads" | "writes",
  ): Promise<unknown>;
  /** The user that the auth server sees in a token; `null` when it accepts it for none. */
  readUser(token: string): Promise<unknown>;
  /** The project's public signing keys. */
  readSigningKeys(): Promise<unknown>;
  /**
   * What a run's worker tells before it is stored, a line of JSON each. Null where nothing tells it: then the log is read
   * again and again.
   */
  openLiveAnswer(runId: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array> | null>;
  /** The same, whose calls as the service take turns at the database as this party; see `partyHeader`. */
  asParty(party: string | null): SupabaseClient;
}

/** The database refused or failed. The message holds the status and Postgres's code only, never data. */
export class SupabaseError extends Error {
  override name = "SupabaseError";
  /** 503 also where nobody answered. */
  readonly status: number;
  readonly code: string | null;
  /** Whether the statement could change nothing. */
  readonly isRead: boolean;
  /** Whether a limit of what the account may store was reached. */
  readonly isFull: boolean;

  constructor(operation: string, status: number, code: string | null, { isRead = false, isFull = false } = {}) {
    super(`${operation} failed with status ${status}${code === null ? "" : ` (${code})`}`);
    this.status = status;
    this.code = code;
    this.isRead = isRead;
    this.isFull = isFull;
  }
}

/** The address is the operator's own, so these requests do not pass the guard. */
export function createSupabaseClient(environment: FunctionEnvironment, party: string | null = null): SupabaseClient {
  const { supabaseUrl, anonKey, serviceRoleKey } = environment;
  const asUser = (token: string): Record<string, string> => ({ apikey: anonKey, authorization: `Bearer ${token}` });
  const tableUrl = (table: string, columns: string, filters: Record<string, string>): string =>
    `${supabaseUrl}/rest/v1/${table}?${new URLSearchParams({ select: columns, ...filters })}`;
  const returning = { prefer: "return=representation", "content-type": "application/json" };

  return {
    selectAsUser: (token, table, columns, filters) =>
      requestJson(`select ${table}`, tableUrl(table, columns, filters), { headers: asUser(token) }),
    updateAsUser: (token, table, columns, filters, values) =>
      requestJson(`update ${table}`, tableUrl(table, columns, filters), {
        method: "PATCH",
        headers: { ...asUser(token), ...returning },
        body: JSON.stringify(values),
      }),
    deleteAsUser: (token, table, columns, filters) =>
      requestJson(`delete ${table}`, tableUrl(table, columns, filters), {
        method: "DELETE",
        headers: { ...asUser(token), ...returning },
      }),
    callAsService: (functionName, parameters, effect = "writes") =>
      requestJson(
        `call ${functionName}`,
        `${supabaseUrl}/rest/v1/rpc/${functionName}`,
        {
          method: "POST",
          headers: {
            ...serviceHeaders(serviceRoleKey),
            "content-type": "application/json",
            ...(party === null ? {} : { [partyHeader]: party }),
          },
          body: JSON.stringify(parameters),
        },
        effect === "reads",
      ),
    async readUser(token) {
      try {
        return await requestJson("read user", `${supabaseUrl}/auth/v1/user`, { headers: asUser(token) });
      } catch (error) {
        if (error instanceof SupabaseError && error.status < 500 && error.status !== 429) return null;
        throw error;
      }
    },
    readSigningKeys: () =>
      requestJson("read signing keys", `${supabaseUrl}/auth/v1/.well-known/jwks.json`, {
        headers: { apikey: anonKey },
      }),
    async openLiveAnswer(runId, signal) {
      if (!environment.isBehindGateway) return null;
      const headers = serviceHeaders(serviceRoleKey);
      const response = await fetch(`${supabaseUrl}/live/v1/runs/${runId}`, { headers, signal, redirect: "error" });
      if (response.ok) return response.body;
      await response.body?.cancel();
      return null;
    },
    asParty: (other) => createSupabaseClient(environment, other),
  };
}

/** Only the older service keys are tokens; the newer opaque ones are refused as a bearer. */
export function serviceHeaders(key: string): Record<string, string> {
  return key.startsWith("sb_") ? { apikey: key } : { apikey: key, authorization: `Bearer ${key}` };
}

async function requestJson(
  operation: string,
  url: string,
  init: RequestInit,
  isRead = (init.method ?? "GET") === "GET",
): Promise<unknown> {
  const { ok, status, text } = await fetch(url, { ...init, redirect: "error" })
    .then(async (response) => ({ ok: response.ok, status: response.status, text: await response.text() }))
    .catch(() => {
      throw new SupabaseError(operation, away, null, { isRead });
    });
  if (!ok) {
    const isFull = text.includes("quota_exceeded ");
    const code = errorCode(text);
    throw new SupabaseError(operation, isAway(status, code) ? away : status, code, { isRead, isFull });
  }
  return text === "" ? null : JSON.parse(text);
}

/** The status of an error where the database was not reached, or went away meanwhile: whoever waits a moment may try again. */
const away = 503;

/**
 * Whether an answer comes from what stands before the database (https://supabase.com/docs/guides/troubleshooting/http-status-codes),
 * or the server was shutting down or starting (SQLSTATE 57P01 to 57P05, which PostgREST answers with 500).
 */
function isAway(status: number, code: string | null): boolean {
  return [502, 504, 544].includes(status) || (status >= 520 && status <= 530) || code?.startsWith("57P") === true;
}

function errorCode(text: string): string | null {
  const match = /"code"\s*:\s*"([A-Z0-9_]{3,10})"/.exec(text);
  return match?.[1] ?? null;
}
