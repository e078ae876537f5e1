import { z } from "zod/mini";
import type { JsonObject } from "../../../engine/json.ts";
import { ServiceError } from "../../../services/services.ts";
import { serviceFailure, thrownFailure } from "./service-failure.ts";
import type { SupabaseClient } from "./supabase-client.ts";

const refusal = z.object({ error: z.object({ code: z.string(), message: z.string(), hint: z.string() }) });

/**
 * POSTs JSON to an edge function as the signed-in user. `what` says what it is for, as "save the credential". Rejects with the
 * function's own words when it refuses.
 */
export async function callEdgeFunction<Schema extends z.ZodMiniType>(
  client: Pick<SupabaseClient, "send">,
  name: string,
  { what, schema, body }: { what: string; schema: Schema; body: JsonObject },
): Promise<z.infer<Schema>> {
  let response: Response;
  let answer: unknown;
  try {
    response = await client.send(`/functions/v1/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    answer = await response.json().catch(() => null);
  } catch (error) {
    throw thrownFailure(what, error);
  }
  if (response.ok) {
    const parsed = schema.safeParse(answer);
    if (parsed.success) return parsed.data;
  }
  const refused = refusal.safeParse(answer);
  if (refused.success && response.status !== 401) {
    const { message, hint } = refused.data.error;
    throw new ServiceError(response.status < 500 ? "invalid" : "server", message, hint);
  }
  throw serviceFailure(what, { status: response.status });
}
