import { z } from "zod/mini";
import { callEdgeFunction } from "./call-edge-function.ts";
import type { SupabaseClient } from "./supabase-client.ts";

/** Seals secrets of a publication, by place (`secretPlaces`), so that the database gets them sealed. Rejects with a ServiceError. */
export type SealSecrets = (
  workflowId: string,
  secrets: Readonly<Record<string, string>>,
) => Promise<Readonly<Record<string, string>>>;

const answer = z.object({ sealed: z.record(z.string(), z.string()) });

/** Has the edge function `credentials` seal them, which alone has the key. */
export function createSealSecrets(client: Pick<SupabaseClient, "send">): SealSecrets {
  return async (workflow, secrets) => {
    if (Object.keys(secrets).length === 0) return {};
    const body = { action: "seal", workflow, secrets: { ...secrets } };
    return (await callEdgeFunction(client, "credentials", { what: "encrypt the secret", schema: answer, body })).sealed;
  };
}

/** For parts without edge functions: these seal what they find unsealed. */
export const sealLater: SealSecrets = async (_workflowId, secrets) => secrets;
