import { DatabaseUnavailable } from "../database/database-client.ts";
import type { InstanceKeys } from "../database/keys.ts";
import type { SupabaseApi } from "../rest/supabase-api.ts";

/** Calls a database function that only the service role may execute; gives its JSON. Throws when it fails. */
export type CallAsService = (name: string, parameters: Record<string, unknown>) => Promise<unknown>;

/** The server's own calls, by way of the API as everybody's. */
export function createServiceCalls(api: SupabaseApi, keys: Pick<InstanceKeys, "secretKey">): CallAsService {
  return async (name, parameters) => {
    const response = await api(
      new Request(`http://127.0.0.1/rest/v1/rpc/${name}`, {
        method: "POST",
        headers: { apikey: keys.secretKey, "content-type": "application/json" },
        body: JSON.stringify(parameters),
      }),
    );
    const text = await response.text();
    // Whoever asked is told to come again.
    if (response.status === 503) throw new DatabaseUnavailable("not-started");
    if (!response.ok) throw new Error(`The database could not run ${name} (status ${response.status}).`);
    return text === "" ? null : JSON.parse(text);
  };
}
