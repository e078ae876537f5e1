import { DatabaseUnavailable, type Unavailability } from "../database/database-client.ts";
import type { DatabaseService } from "../database/database-service.ts";
import { refusalOfBody, refusalOfRest, type Refusal } from "./rest-limits.ts";
import type { SupabaseApi } from "./supabase-api.ts";
import { databaseHeader } from "../../../src/engine/studio-headers.ts";

/** Passes requests below /rest/v1 and /auth/v1 to the API beside the database; without an answer from it, says so itself. */
export function createApiForwarder(database: Pick<DatabaseService, "request">): SupabaseApi {
  return async (request) => {
    try {
      const isRest = new URL(request.url).pathname.startsWith("/rest/v1/");
      const asked = isRest ? refusalOfRest(request) : null;
      if (asked) return refused(asked);
      const body = request.body ? new Uint8Array(await request.arrayBuffer()) : null;
      const given = isRest && body ? refusalOfBody(body) : null;
      if (given) return refused(given);
      const { method, url } = request;
      const answer = await database.request({ method, url, headers: [...request.headers], body });
      return new Response(answer.body, { status: answer.status, headers: answer.headers });
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return unavailable(error);
      throw error;
    }
  };
}

/** The answer to what the studio does not offer. */
export function refused({ message, hint }: Refusal): Response {
  return Response.json({ code: "not_offered", message, hint, details: null }, { status: 400 });
}

/** PostgREST's code for a statement that took too long; clients that try a 503 again must not repeat that one. */
const statuses: Record<Unavailability, { status: number; code: string }> = {
  "too-long": { status: 500, code: "57014" },
  "not-started": { status: 503, code: "database_unavailable" },
  "outcome-unknown": { status: 503, code: "database_restarted" },
  closed: { status: 503, code: "database_unavailable" },
};

/** An error as the clients of both APIs read it. */
export function unavailable({ reason, message, hint }: DatabaseUnavailable): Response {
  const { status, code } = statuses[reason];
  const headers = { [databaseHeader]: reason, ...(status === 503 ? { "retry-after": "1" } : {}) };
  return Response.json({ code, error_code: code, message, msg: message, hint, details: null }, { status, headers });
}
