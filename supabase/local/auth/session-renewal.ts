import { z } from "zod/mini";
import { authRefusal } from "./auth-answers.ts";
import type { CallAsService } from "../functions/service-calls.ts";
import type { SupabaseApi } from "../rest/supabase-api.ts";

const renewal = z.object({ refresh_token: z.string() });

/**
 * Renews sessions by the auth API, which itself takes a token again and again, however long ago it was exchanged. Here a token that comes
 * again ends its session (400), unless it was exchanged in the last ten seconds, as by two tabs at once, or its successor is
 * unused, as where an answer got lost; then that one is given again.
 */
export function createSessionRenewal(api: SupabaseApi, callAsService: CallAsService): SupabaseApi {
  return async (request) => {
    const asked = renewal.safeParse(
      await request
        .clone()
        .json()
        .catch(() => null),
    );
    if (!asked.success) return api(request);
    const goesOn = await callAsService("studio_retire_refresh_token", { p_token: asked.data.refresh_token });
    return goesOn === true
      ? api(request)
      : authRefusal(400, "refresh_token_already_used", "This session was ended, since it was used from two places.");
  };
}
