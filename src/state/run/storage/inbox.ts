import { z } from "zod/mini";
import type { Json, JsonObject } from "../../../engine/json.ts";
import { allowableSchema } from "../../../engine/trust/allowed-values.ts";
import type { AskedForm } from "../../../engine/tool/tool.ts";
import { unsaidField, unsaidValueSchema } from "../../../engine/trust/provenance/unsaid-value.ts";
import type { DecisionOutcome, InboxService, OpenQuestion } from "../../../services/services.ts";
import { query } from "../../shared/storage/query.ts";
import type { SupabaseClient } from "../../shared/storage/supabase-client.ts";

const wait = z.pipe(
  z.object({
    run_id: z.string(),
    call_id: z.string(),
    workflow_id: z.string(),
    workflow_name: z.string(),
    question: z.object({
      toolName: z.string(),
      input: z.custom<JsonObject>((value) => typeof value === "object" && value !== null && !Array.isArray(value)),
      // Questions asked before there was this say nothing of a schema, and so do those whose schema is long.
      parameters: z._default(z.record(z.string(), z.json()), {}),
      preview: z.optional(z.custom<Json>()),
      untrusted: z.optional(z.array(z.string())),
      unsaid: z.optional(z.array(unsaidValueSchema)),
      remedy: z.optional(z.string()),
      allowable: z.optional(allowableSchema),
      message: z.optional(z.string()),
      again: z.optional(z.number()),
      form: z.optional(
        z.pipe(
          z.object({
            message: z.string(),
            schema: z.record(z.string(), z.json()),
            confirms: z.optional(z.literal(true)),
          }),
          z.transform(({ confirms, ...form }): AskedForm => (confirms ? { ...form, confirms } : form)),
        ),
      ),
    }),
    asked_at: z.string(),
    expires_at: z.nullable(z.string()),
  }),
  z.transform(
    ({
      question: { preview, untrusted, unsaid, remedy, allowable, form, message, again, ...asked },
      ...row
    }): OpenQuestion => ({
      runId: row.run_id,
      callId: row.call_id,
      workflowId: row.workflow_id,
      workflowName: row.workflow_name,
      question: {
        ...asked,
        ...(preview === undefined ? {} : { preview }),
        ...(untrusted ? { untrusted } : {}),
        ...unsaidField(unsaid),
        ...(remedy === undefined ? {} : { remedy }),
        ...(allowable ? { allowable } : {}),
        ...(form ? { form } : {}),
        ...(message === undefined ? {} : { message }),
        ...(again === undefined ? {} : { again }),
      },
      askedAt: row.asked_at,
      expiresAt: row.expires_at,
    }),
  ),
);

const answer = z.object({ total: z.number(), waits: z.array(wait) });
const outcome: z.ZodMiniType<DecisionOutcome> = z.enum(["decided", "decided-elsewhere", "expired", "over"]);

/** Open questions of `studio_run_waits`; decisions are written by a function alone. */
export function createInbox({ database }: Pick<SupabaseClient, "database">): InboxService {
  const read = (what: string, limit: number) => query(what, answer, database.rpc("studio_inbox", { p_limit: limit }));

  return {
    async list(limit) {
      const { waits, total } = await read("list what waits for you", limit);
      return { questions: waits, total };
    },

    count: async () => (await read("count what waits for you", 0)).total,

    async decide({ runId, callId }, decision) {
      const parameters = { p_run_id: runId, p_call_id: callId, p_decision: decision };
      const sent = await database.rpc("studio_decide_wait", parameters);
      // Deleted together with its run.
      if (sent.error?.message.includes("wait_not_found") === true) return "over";
      return query("send your decision", outcome, Promise.resolve(sent));
    },
  };
}
