import { z } from "zod/mini";
import { secretPlaces } from "../../../engine/credentials/secret-places.ts";
import type { Json } from "../../../engine/json.ts";
import { type ActivityService, runSources, ServiceError } from "../../../services/services.ts";
import { execute, query } from "../../shared/storage/query.ts";
import { type SealSecrets, sealLater } from "../../shared/storage/seal-secrets.ts";
import type { SupabaseClient } from "../../shared/storage/supabase-client.ts";

const bucket = z.object({
  at: z.number(),
  runs: z._default(z.number(), 0),
  failed: z._default(z.number(), 0),
  cancelled: z._default(z.number(), 0),
  costUsd: z._default(z.number(), 0),
  unpriced: z._default(z.number(), 0),
  visitors: z._default(z.number(), 0),
  durations: z.record(z.string(), z.number()),
  up: z._default(z.number(), 0),
  down: z._default(z.number(), 0),
});

const activity = z.object({
  name: z.string(),
  slug: z.string(),
  live: z.nullable(z.number()),
  buckets: z.array(bucket),
  errors: z.array(z.object({ code: z.string(), runs: z.number() })),
  tools: z.array(z.object({ name: z.string(), calls: z.number(), failed: z.number() })),
  visitors: z.number(),
});

const overview = z.array(
  z.object({
    workflowId: z.string(),
    name: z.string(),
    slug: z.string(),
    live: z.nullable(z.number()),
    runs: z.number(),
    failed: z.number(),
  }),
);

/** As it is stored, in an object. */
const input = z.pipe(
  z.nullable(z.object({ value: z.optional(z.custom<Json>()) })),
  z.transform((stored) => stored?.value ?? null),
);

const failedRuns = z.array(
  z.object({
    id: z.string(),
    startedAt: z.string(),
    endedAt: z.nullable(z.string()),
    source: z.enum(runSources),
    version: z.nullable(z.number()),
    error: z.catch(z.nullable(z.object({ code: z.string(), message: z.string() })), null),
    input,
  }),
);

const feedback = z.array(
  z.object({ runId: z.string(), at: z.string(), rating: z.enum(["up", "down"]), comment: z.string(), input }),
);

const collector = z.nullable(
  z.object({
    url: z.string(),
    headerNames: z.array(z.string()),
    content: z.boolean(),
    sentAt: z.nullable(z.string()),
    problem: z.nullable(z.string()),
    waiting: z.number(),
  }),
);

const problems = z.array(z.object({ chore: z.string(), problem: z.string(), since: z.string() }));

function notPublished(): ServiceError {
  const hint = "Publish it first: activity is that of published versions.";
  return new ServiceError("not-found", "This workflow is not published.", hint);
}

/** How publications are doing: sums that the database keeps, and lists of failed runs and of feedback. */
export function createActivity(
  { database }: Pick<SupabaseClient, "database">,
  seal: SealSecrets = sealLater,
): ActivityService {
  return {
    problems: () => query("look up what could not be done", problems, database.rpc("studio_chore_problems", {})),

    overview: (from) =>
      query("list what is published", overview, database.rpc("studio_activity_overview", { p_from: from })),

    async of(workflowId, { from, bucket: unit, timeZone }) {
      const answer = await database.rpc("studio_publication_activity", {
        p_workflow_id: workflowId,
        p_from: from,
        p_bucket: unit,
        p_time_zone: timeZone,
      });
      if (answer.error?.message.includes("not_published") === true) throw notPublished();
      return query("add up what has happened", activity, Promise.resolve(answer));
    },

    failedRuns: (workflowId, limit, before) =>
      query(
        "list the failed runs",
        failedRuns,
        database.rpc("studio_failed_runs", {
          p_workflow_id: workflowId,
          p_before: before ?? null,
          p_limit: limit,
        }),
      ),

    feedback: (workflowId, limit, before) =>
      query(
        "list the feedback",
        feedback,
        database.rpc("studio_feedback", { p_workflow_id: workflowId, p_before: before ?? null, p_limit: limit }),
      ),

    collector: (workflowId) =>
      query("look up where traces go", collector, database.rpc("studio_collector", { p_workflow_id: workflowId })),

    async saveCollector(workflowId, draft) {
      const placeOf = (name: string) => secretPlaces.collector(draft?.url ?? "", name);
      const given = Object.entries(draft?.headers ?? {});
      const sealed = await seal(workflowId, Object.fromEntries(given.map(([name, value]) => [placeOf(name), value])));
      const headers = given.map(([name, value]) => [name, sealed[placeOf(name)] ?? value] as const);
      const answer = await database.rpc("studio_save_collector", {
        p_workflow_id: workflowId,
        p_url: draft?.url ?? null,
        p_headers: draft?.headers ? Object.fromEntries(headers) : null,
        p_content: draft?.content ?? false,
      });
      if (answer.error?.message.includes("not_published") === true) throw notPublished();
      await execute("change where traces go", Promise.resolve(answer));
    },
  };
}
